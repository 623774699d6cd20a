/**
 * How a question of the client becomes a request, and an answer or a refusal what the caller gets. Alone in its file, so
 * that the library is fetched after the page and not with it.
 */
import { type ClientLink, ORPCError } from "@orpc/client";
import type { AnyContractRouter } from "@orpc/contract";
import { OpenAPILink } from "@orpc/openapi-client/fetch";

export type ApiLink = ClientLink<Record<never, never>>;

export function newLink(
  routes: AnyContractRouter,
  prefix: string,
  ask: (request: Request, init?: RequestInit) => Promise<Response>,
): ApiLink {
  return new OpenAPILink(routes, {
    url: () => `${globalThis.location.origin}${prefix}`,
    fetch: (request, init) => ask(request, init),
    customErrorResponseBodyDecoder: (body, response) => {
      if (typeof body !== "object" || body === null || !("code" in body)) return null;
      const { code, message, ...more } = body as { code: string; message?: string };
      return new ORPCError(code, { status: response.status, message: message ?? code, data: more, defined: true });
    },
  });
}
