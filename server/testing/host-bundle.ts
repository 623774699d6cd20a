/** The session host as one file, as the build makes it, in a folder of its own; for tests that start real agents. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

export async function bundleHost(): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "camelot-host-"));
  const path = join(folder, "host.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../runner/host/main.ts", import.meta.url))],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
  });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}
