import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { AnswerTime } from "./answer-time";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("[R12][B10] how long a question waits is shown in minutes and changed; what the server would refuse cannot be saved", async () => {
  let kept = { outputDays: 30, outputMaxBytes: 20_000_000_000, answerWithinSeconds: 3_600 };
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "PATCH") {
      const change = (await request.json()) as Partial<typeof kept>;
      sent.push(change);
      kept = { ...kept, ...change };
    }
    return new Response(JSON.stringify(kept), { headers: { "content-type": "application/json" } });
  });
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <AnswerTime />
    </LiveProvider>,
  );
  const field = await screen.findByLabelText<HTMLInputElement>("Wait for an answer, in minutes");
  const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save" });
  expect([field.value, save().disabled]).toEqual(["60", true]);
  for (const wrong of ["0.5", "", "43201", "an hour"]) {
    fireEvent.change(field, { target: { value: wrong } });
    expect(screen.getByText("A number from 1 to 43,200.")).toBeTruthy();
    expect(save().disabled).toBe(true);
  }
  fireEvent.change(field, { target: { value: "90" } });
  fireEvent.click(save());
  await waitFor(() => expect(sent).toEqual([{ answerWithinSeconds: 5_400 }]));
});
