import { cleanup, fireEvent, render, renderHook, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { aboutQuestion, answerEntries, useAnswersInTime } from "../board/answers";
import { arrange, type BoardCard } from "../board/columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "../board/sample";
import { LiveProvider } from "../live/live-provider";
import { menuSlot, openMenu } from "../ui/menu";
import { suggestedSlot } from "./message-draft";
import { QuestionBox } from "./question";

const sent: { path: string; body: unknown }[] = [];
let refusal: object | null = null;

beforeEach(() => {
  localStorage.clear();
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
  menuSlot.close();
  vi.unstubAllGlobals();
});

function asking(options: string[], id = "q1"): BoardCard {
  const question = {
    id,
    text: "Drop Node 18?\nTwo helpers depend on it.",
    options,
    askedAt: "2026-01-01T12:00:00.000Z",
  };
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
  expect(sent).toEqual([{ path: "/api/v1/sessions/s1/answer", body: { questionId: "q1", option: "Keep it" } }]);
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

test("[R12] the card’s menu has the question and the same answers, and none once nothing is asked", () => {
  const card = asking(["Drop it", "Keep it"]);
  expect(answerEntries(card)).toMatchObject([
    { kind: "head", text: "Drop Node 18?\nTwo helpers depend on it." },
    // No mark: which of them allows is the agent's to say.
    { label: "Answer: Drop it", icon: null },
    { label: "Answer: Keep it", icon: null },
  ]);
  expect(answerEntries({ ...card, live: card.live && { ...card.live, phase: "working" } })).toEqual([]);
});

test("[R12] a menu of answers stands and falls with its question, and its answers are for that one only", async () => {
  const first = asking(["Drop it", "Keep it"]);
  const { rerender } = renderHook(({ card }: { card: BoardCard }) => useAnswersInTime(card), {
    initialProps: { card: first },
  });
  const entries = answerEntries(first);
  openMenu(document.body, "Task #5", entries, aboutQuestion(first));
  rerender({ card: asking(["Drop it", "Keep it"]) });
  expect(menuSlot.held()).not.toBeNull();
  rerender({ card: asking(["Drop it", "Keep it"], "q2") });
  expect(menuSlot.held()).toBeNull();
  // Pressed all the same, it names what it was read for.
  const keep = entries.find((entry) => entry.kind === "entry" && entry.label === "Answer: Keep it");
  if (keep?.kind === "entry") keep.run();
  await waitFor(() => expect(sent).toMatchObject([{ body: { questionId: "q1", option: "Keep it" } }]));
  openMenu(document.body, "Go to", [], null);
  rerender({ card: first });
  expect(menuSlot.held()).not.toBeNull();
});

test("[R12][B5] words that somebody else’s answer overtook stay, and go into the message at a press", async () => {
  const { rerender } = render(box(asking([])));
  fireEvent.change(screen.getByLabelText("Your answer"), { target: { value: "the old one" } });
  const { live, ...card } = asking([]);
  rerender(box({ ...card, live: live && { ...live, phase: "working" } }));
  const unsent = screen.getByRole("region", { name: "Your answer was not sent" });
  expect(unsent.textContent).toContain("the old one");
  rerender(box(asking([], "q2")));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your answer").value).toBe("");
  fireEvent.click(screen.getByRole("button", { name: "Put it into the message" }));
  expect(suggestedSlot.held()).toEqual({ taskId: "t1", text: "the old one" });
  expect(screen.queryByRole("region", { name: "Your answer was not sent" })).toBeNull();
  suggestedSlot.close();
});

test("[R12][B13] a half-written answer survives a reload while it is asked", () => {
  render(box(asking([])));
  fireEvent.change(screen.getByLabelText("Your answer"), { target: { value: "the old" } });
  cleanup();
  render(box(asking([])));
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your answer").value).toBe("the old");
});
