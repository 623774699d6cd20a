import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { Retention } from "./retention";

let kept = { outputDays: 30, outputMaxBytes: 20_000_000_000, answerWithinSeconds: 3_600 };
const sent: unknown[] = [];

beforeEach(() => {
  sent.length = 0;
  kept = { outputDays: 30, outputMaxBytes: 20_000_000_000, answerWithinSeconds: 3_600 };
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "PATCH") {
      const change = (await request.json()) as Partial<typeof kept>;
      sent.push(change);
      kept = { ...kept, ...change };
    }
    return new Response(JSON.stringify(kept), { headers: { "content-type": "application/json" } });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function show() {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <Retention />
    </LiveProvider>,
  );
  await screen.findByLabelText("Kept for days");
}

const isOff = () => screen.getByRole("button", { name: "Save" }).hasAttribute("disabled");
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("[R14][B10] days and gigabytes of output are shown and changed; less of it says what is lost", async () => {
  await show();
  expect(screen.getByLabelText<HTMLInputElement>("At most, in GB").value).toBe("20");
  expect(isOff()).toBe(true);
  fill("Kept for days", "60");
  expect(screen.queryByText("Older output above it is removed for good.")).toBeNull();
  fill("At most, in GB", "2.5");
  expect(screen.getByText("Older output above it is removed for good.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent).toEqual([{ outputDays: 60, outputMaxBytes: 2_500_000_000 }]));
  await waitFor(() => expect(isOff()).toBe(true));
  expect(screen.getByLabelText<HTMLInputElement>("Kept for days").value).toBe("60");
});

test.each([
  ["Kept for days", "0", "A whole number from 1 to 36,500."],
  ["Kept for days", "", "A whole number from 1 to 36,500."],
  ["At most, in GB", "0.05", "A number from 0.1 to 1,000,000."],
  ["At most, in GB", "lots", "A number from 0.1 to 1,000,000."],
])("[R14][B10] %s: %j is told beside the field and cannot be saved", async (label, value, mistake) => {
  await show();
  fill(label, value);
  expect(screen.getByText(mistake)).toBeTruthy();
  expect(isOff()).toBe(true);
});
