import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { Card } from "./card";
import { viewOf } from "./card-view";
import { arrange } from "./columns";
import { sampleLive, samplePool, sampleSession, sampleTask } from "./sample";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), useParams: () => ({}), usePathname: () => "/" }));

afterEach(cleanup);

test("[B1][A4] a card whose cost nobody knows says of its dash what it is", () => {
  const session = sampleSession({ status: "succeeded", agentId: "own", finishedAt: "2026-01-01T12:01:00.000Z" });
  const [card] = arrange([sampleTask({ column: "review", session, sessionCount: 1 })], samplePool()).review;
  if (card === undefined) throw new Error("the card is not in Review");
  const who = { mayCost: () => true, meId: "nora", nameOf: () => "Nora", reader: null, quietNoticeSeconds: null };
  const seen = { agent: "Own", personName: "Nora", isYou: true, isAdmin: false, place: null, isOpen: false };
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <Card card={card} view={viewOf(card, who)} {...seen} />
    </LiveProvider>,
  );
  expect(screen.getByTitle("Cost unknown: the agent did not tell it.").textContent).toBe("—cost unknown");
  expect(screen.getByText("—").getAttribute("aria-hidden")).toBe("true");
});

test("[B1][P14] the name that a reason begins with is a part of its own, which gives way before the reason does", () => {
  const live = sampleLive({ userId: "max", waitingFor: { reason: "your-limit", sessions: [] } });
  const users = { max: { running: 2, max: 2, queued: 1 } };
  const pool = samplePool({ users, sessions: { s1: live } });
  const session = sampleSession({ userId: "max" });
  const [card] = arrange([sampleTask({ column: "waiting", session, sessionCount: 1 })], pool).waiting;
  if (card === undefined) throw new Error("the card is not in Waiting");
  const partsOf = (personName: string, meId: string) => {
    const nameOf = () => personName;
    const reader = { pool, meId, nameOf, numberOf: () => null };
    const who = { mayCost: () => true, meId, nameOf, reader, quietNoticeSeconds: null };
    const seen = { agent: "Own", personName, isYou: meId === "max", isAdmin: false, place: null, isOpen: false };
    cleanup();
    const { container } = render(
      <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
        <Card card={card} view={viewOf(card, who)} {...seen} />
      </LiveProvider>,
    );
    const note = container.querySelector(".card-note");
    return [
      note?.textContent,
      ...[...(note?.querySelectorAll(".card-reason > .cut") ?? [])].map((one) => one.textContent),
    ];
  };
  const whole = "Maximiliana-Wilhelmina’s limit 2/2 · 2 elsewhere";
  expect(partsOf("Maximiliana-Wilhelmina Feld", "nora")).toEqual([whole, "Maximiliana-Wilhelmina", whole.slice(22)]);
  expect(partsOf("Mira Okafor", "nora")).toEqual(["Mira’s limit 2/2 · 2 elsewhere"]);
  expect(partsOf("Maximiliana-Wilhelmina Feld", "max")).toEqual(["your limit 2/2 · 2 elsewhere"]);
});
