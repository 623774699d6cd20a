import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { answerEntries } from "../board/answers";
import { arrange, type BoardCard } from "../board/columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { QuestionBox } from "./question";

const sent: { path: string; body: unknown }[] = [];
let refusal: object | null = null;

beforeEach(() => {
  sent.length = 0;
  refusal = null;
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push({ path: new URL(request.url).pathname, body: await request.json() });
    return new Response(JSON.stringify(refusal ?? sampleSession()), {
      status: refusal === null ? 200 : 409,
      headers: { "content-type": "application/json" },
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function asking(options: string[], id = "q1"): BoardCard {
  const question = { id, text: "Drop Node 18?\nTwo helpers depend on it.", options, askedAt: 1 };
  const session = sampleSession({ status: "running", phase: "asking", question });
  const live = sampleLive({ status: "running", phase: "asking", position: 0 });
  const task = sampleTask({ column: "running", session, sessionCount: 1 });
  const [card] = arrange([task], samplePool({ sessions: { s1: live } })).running;
  if (card === undefined) throw new Error("the card is not in Running");
  return card;
}

const box = (card: BoardCard) => (
  <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
    <QuestionBox card={card} />
  </LiveProvider>
);

test("[R12] the whole question is there with one press for each answer, and the answer goes to the session", async () => {
  const { rerender } = render(box(asking(["Drop it", "Keep it"])));
  expect(screen.getByText(/Two helpers depend on it/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Keep it" }));
  expect(await screen.findByText("Answered. The agent goes on.")).toBeTruthy();
  expect(sent).toEqual([{ path: "/api/v1/sessions/s1/answer", body: { option: "Keep it" } }]);
  rerender(box(asking(["Yes"], "q2")));
  expect(screen.getByRole("button", { name: "Yes" })).toBeTruthy();
});

test("[R12] a question without certain answers takes words, and no empty ones", async () => {
  render(box(asking([])));
  const press = screen.getByRole<HTMLButtonElement>("button", { name: "Answer" });
  expect(press.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText("Your answer"), { target: { value: "the old one" } });
  fireEvent.click(press);
  await waitFor(() => expect(sent).toMatchObject([{ body: { option: "the old one" } }]));
});

test("[R12] who comes second may go on seeing the question: nothing is said to be answered that was refused", async () => {
  refusal = { code: "CONFLICT", message: "Somebody else has answered already." };
  render(box(asking(["Yes"])));
  fireEvent.click(screen.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByText("Answered. The agent goes on.")).toBeNull();
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Yes" }).disabled).toBe(false));
});

test("[R12] the card’s menu has the same answers, and none once nothing is asked", () => {
  const card = asking(["Drop it", "Keep it"]);
  expect(answerEntries(card)).toMatchObject([{ label: "Answer: Drop it" }, { label: "Answer: Keep it" }]);
  expect(answerEntries({ ...card, live: card.live && { ...card.live, phase: "working" } })).toEqual([]);
});
