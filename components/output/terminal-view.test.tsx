import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { sampleSession } from "../board/sample";
import type { OutputView } from "../live/use-output";
import { TerminalView } from "./terminal-view";

const heard = vi.hoisted(() => ({ output: {} as unknown }));
vi.mock("../live/use-output", () => ({ FOLLOW_BYTES: 256_000, useOutput: () => heard.output }));
// It draws on a canvas, which there is none of here.
vi.mock("@xterm/xterm", () => ({
  Terminal: class {
    readonly parser = { registerOscHandler: () => {} };
    readonly buffer = { normal: { length: 0 }, active: { baseY: 0, viewportY: 0 } };
    loadAddon() {}
    open() {}
    write() {}
    dispose() {}
  },
}));
vi.mock("@xterm/addon-fit", () => ({
  FitAddon: class {
    fit() {}
  },
}));

afterEach(cleanup);

function said(status: "running" | "succeeded", output: Partial<OutputView>): string | null {
  const loads = { loadEarlier: async () => {}, loadLater: () => {} };
  heard.output = { isKnown: true, hasLater: false, isReadingEarlier: false, ...loads, ...output };
  render(<TerminalView session={sampleSession({ status })} whole="Output" openWhole={() => {}} />);
  const words = screen.getByRole("region", { name: "Terminal" }).textContent;
  cleanup();
  return words;
}

test("[B7] the terminal of a session that printed nothing says so, as its output does", () => {
  const nothing = { start: 0, end: 0, pieces: [], isComplete: false };
  expect(said("succeeded", { window: { ...nothing, isComplete: true } })).toBe("The agent wrote nothing.");
  expect(said("succeeded", { window: nothing, isKnown: false })).toBe("Reading the output…");
  expect(said("running", { window: nothing })).toBe("No output yet.");
  const piece = { offset: 0, next: 2, bytes: new Uint8Array([104, 105]) } as OutputView["window"]["pieces"][number];
  expect(said("running", { window: { ...nothing, end: 2, pieces: [piece] } })).toBe("");
});
