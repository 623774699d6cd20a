/** `openapi.json`: the contract for other programs. Made once, when somebody asks for it. */
import { OpenAPIGenerator } from "@orpc/openapi";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { API_PREFIX, contract } from "../contract/router";

const ERROR_BODY = {
  type: "object" as const,
  properties: {
    code: { type: "string" as const },
    message: { type: "string" as const, description: "One sentence for people." },
  },
  required: ["code", "message"],
};

export async function openApiDocument(version: string): Promise<string> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const document = await generator.generate(contract, {
    info: {
      title: "Camelot",
      version,
      description:
        "Ids are strings, times are ISO 8601 in UTC, lists are `{items,next}` with `?after=`. Answers with figures of the pool " +
        "carry `X-Pool-Version`. Sign in for a cookie, or send a token: `Authorization: Bearer …`; with the scope `read` it " +
        "reads, with `dispatch` it also does what members do with tasks, and everything else needs `admin`.",
    },
    servers: [{ url: API_PREFIX }],
    security: [{ cookie: [] }, { token: [] }],
    components: {
      securitySchemes: {
        cookie: { type: "apiKey", in: "cookie", name: "better-auth.session_token" },
        token: { type: "http", scheme: "bearer" },
      },
    },
    customErrorResponseBodySchema: ERROR_BODY,
  });
  return JSON.stringify(document);
}
