/**
 * The headers that keep what people and agents wrote from running in a browser (S3). Pages get a policy with a fresh nonce,
 * which Next reads from the request's own header and puts on its scripts; everything else may run nothing at all.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

const CSP = "content-security-policy";
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For every answer; whoever answers may set a policy of its own over this one. */
export function protect(response: ServerResponse): void {
  response.setHeader(CSP, NOTHING_RUNS);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("x-frame-options", "DENY");
  response.setHeader("referrer-policy", "same-origin");
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.setHeader("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
}

/** For Next's pages: both sides are told the nonce. Must come before Next sees the request. */
export function protectPage(request: IncomingMessage, response: ServerResponse, isDevelopment: boolean): void {
  const nonce = randomBytes(16).toString("base64");
  const policy = pagePolicy(nonce, isDevelopment);
  request.headers[CSP] = policy;
  delete request.headers["content-security-policy-report-only"];
  request.headers["x-nonce"] = nonce;
  response.setHeader(CSP, policy);
}

function pagePolicy(nonce: string, isDevelopment: boolean): string {
  // React's development build and hot reload compile code at run time.
  const development = isDevelopment ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development}`,
    // Libraries write styles at run time (menus, the terminal, toasts); a style cannot run anything.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
