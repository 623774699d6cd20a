import { afterAll, beforeAll } from "vitest";
import { bundleHost } from "../../testing/host-bundle";
import { runnerSuite } from "../../testing/runner.suite";
import { makeProcessHarness } from "./process-harness";

let bundle: Awaited<ReturnType<typeof bundleHost>>;
beforeAll(async () => {
  bundle = await bundleHost();
});
afterAll(() => bundle.remove());

runnerSuite("process", () => makeProcessHarness(bundle.path));
