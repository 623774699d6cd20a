/** Reads a call's body: JSON or nothing, up to a limit. */
import type { IncomingMessage } from "node:http";
import { type JsonBody, jsonBody } from "../contract/mistakes";

/** A prompt may have 4 MB; written as JSON it can be twice as long. Bytes. */
const BODY_MAX_BYTES = 10_000_000;
/** A body that is too large is read to its end and thrown away up to here, so that the refusal is heard. Bytes. */
const DISCARDED_MAX_BYTES = 64_000_000;

export type Body =
  | JsonBody
  /** `isWhole`: the other end has sent everything and hears us. */
  | { readonly kind: "too-large"; readonly isWhole: boolean };

export async function readBody(request: IncomingMessage): Promise<Body> {
  const bytes = await readBytes(request);
  if (!(bytes instanceof Buffer)) return { kind: "too-large", isWhole: bytes === "whole" };
  return jsonBody(bytes);
}

/** "whole" or "cut": too large. Rejects when the other end hangs up. */
function readBytes(request: IncomingMessage): Promise<Buffer | "whole" | "cut"> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const done = (answer: Buffer | "whole" | "cut") => {
      request.off("data", take);
      request.resume();
      resolve(answer);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= BODY_MAX_BYTES) chunks.push(chunk);
      else chunks.length = 0;
      if (length > DISCARDED_MAX_BYTES) done("cut");
    };
    request.on("data", take);
    request.once("end", () => done(length > BODY_MAX_BYTES ? "whole" : Buffer.concat(chunks)));
    request.once("error", reject);
    request.once("close", () => reject(new Error("the other end hung up")));
  });
}
