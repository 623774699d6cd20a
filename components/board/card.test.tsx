import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { Card } from "./card";
import { viewOf } from "./card-view";
import { arrange } from "./columns";
import { samplePool, sampleSession, sampleTask } from "./sample";

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
