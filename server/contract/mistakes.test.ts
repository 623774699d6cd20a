import { expect, test } from "vitest";
import { z } from "zod";
import { changePasswordForm, signInForm, signUpForm } from "../auth/forms";
import { agentSettings } from "./agents";
import { jsonBody, mistakeIn } from "./mistakes";
import { contract } from "./router";

/** A sentence for each mistake, as if it were the only one. */
const allSaid = (schema: z.ZodType, given: unknown) =>
  (schema.safeParse(given).error?.issues ?? []).map((issue) => mistakeIn([issue], given).sentence);
const said = (schema: z.ZodType, given: unknown) => allSaid(schema, given)[0];

test("[P1] one plain sentence per kind of mistake", () => {
  const form = z.object({
    text: z.string().min(3).max(1_000).optional(),
    list: z.array(z.string()).min(2).max(3).optional(),
    count: z.number().int().min(1).max(9_999).optional(),
    code: z.string().regex(/^x$/).optional(),
    only: z.literal("this").optional(),
    deep: z.object({ flag: z.boolean() }).optional(),
  });
  expect(said(form, { text: "" })).toBe("“text” needs 3 characters or more.");
  expect(said(form, { text: "x".repeat(1_001) })).toBe("“text” may have 1,000 characters at most.");
  expect(said(form, { list: ["a"] })).toBe("“list” needs 2 entries or more.");
  expect(said(form, { list: ["a", "b", "c", "d"] })).toBe("“list” may have 3 entries at most.");
  expect(said(form, { list: ["a", 1] })).toBe("“list[1]” has to be text.");
  expect(said(form, { list: "a" })).toBe("“list” has to be a list.");
  expect(said(form, { count: 0 })).toBe("“count” has to be 1 or more.");
  expect(said(form, { count: 10_000 })).toBe("“count” may be 9,999 at most.");
  expect(said(form, { count: 1.5 })).toBe("“count” has to be a whole number.");
  expect(said(form, { code: "y" })).toBe("“code” is not written as it has to be.");
  expect(said(form, { only: "that" })).toBe("“only” has to be “this”.");
  expect(said(form, { deep: {} })).toBe("“deep.flag” is missing.");
  expect(said(form, { deep: { flag: 0 } })).toBe("“deep.flag” has to be true or false.");
  expect(said(form, [])).toBe("The request has to be an object.");
  expect(said(z.strictObject({}), { other: 1 })).toBe("The request may not have “other”.");
});

test("[A2] half of a character is refused wherever it stands in a body; a whole one may be written as two escapes", () => {
  const read = (json: string) => jsonBody(new TextEncoder().encode(json));
  for (const half of ['{"a":"x\\ud83d"}', '{"a":[{"b":"\\uDE00\\uD83D"}]}', '{"\\udfff":1}']) {
    expect(read(half), half).toMatchObject({ kind: "malformed", sentence: expect.stringMatching(/^Text with half/) });
  }
  expect(read('{"a":"\\ud83d\\ude00 \\\\ud83d"}')).toEqual({ kind: "body", value: { a: "😀 \\ud83d" } });
});

test("[P1] no call of the API lets the schema library speak, whatever field is wrong, and none repeats a value", () => {
  const SECRET = "\u0000 S3CR3T-value";
  const odd = [
    undefined,
    null,
    "",
    SECRET,
    SECRET.repeat(1_000_000),
    -1,
    1.5,
    1e300,
    Number.NaN,
    true,
    [],
    [SECRET],
    {},
  ];
  const schemas = [...inputsOf(contract), signUpForm, signInForm, changePasswordForm, ...Object.values(agentSettings)];
  const sentences = new Set<string>();
  for (const schema of schemas) {
    for (const given of odd.flatMap((value) => [value, ...withEach(schema, value)])) {
      for (const sentence of allSaid(schema, given)) sentences.add(sentence);
    }
  }
  expect(schemas.length).toBeGreaterThan(30);
  expect(sentences.size).toBeGreaterThan(60);
  for (const sentence of sentences) {
    expect(sentence).toMatch(/^[A-Z“][^\n]{1,200}\.$/);
    expect(sentence).not.toMatch(/invalid|expected|received|too (small|big)|unrecognized|undefined|NaN|S3CR3T|[<>=]/i);
    expect(sentence).not.toMatch(/is not right|something else|all of these/);
  }
});

/** The input schemas of every call. */
function inputsOf(node: unknown): z.ZodType[] {
  if (typeof node !== "object" || node === null) return [];
  if ("~orpc" in node) {
    const { inputSchema } = node["~orpc"] as { inputSchema?: z.ZodType };
    return inputSchema === undefined ? [] : [inputSchema];
  }
  return Object.values(node).flatMap(inputsOf);
}

/** Requests that hold this value in one field, at any depth, and nothing else. */
function withEach(schema: z.core.$ZodType, value: unknown): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return withEach(schema.unwrap(), value);
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    return schema.options.flatMap((option) => {
      const [kind] =
        (option as z.ZodObject).shape.kind instanceof z.ZodLiteral ? [(option as z.ZodObject).shape.kind.value] : [];
      return withEach(option, value).map((request) => ({ kind, ...(request as object) }));
    });
  }
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([key, field]) => [
    { [key]: value },
    ...withEach(field as z.core.$ZodType, value).map((inner) => ({ [key]: inner })),
  ]);
}
