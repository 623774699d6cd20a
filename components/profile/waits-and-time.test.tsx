import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Wait } from "./waits-and-time";

afterEach(cleanup);

const days = [
  { day: "2026-03-08", p50: null, p95: null },
  { day: "2026-03-09", p50: 60, p95: 660 },
];

test("[B8] waits stand as figures and per day, a day without one as none", () => {
  const { container } = render(<Wait wait={{ p50: 60, p95: 660, sessions: 4 }} days={days} />);
  expect(screen.getByRole("region", { name: "Wait" }).textContent).toContain("p50 1 min · p95 11 min · last 30 days");
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe(
    "Wait per day: 8 Mar: none; 9 Mar: half up to 1 min, 95 of 100 up to 11 min",
  );
  expect(container.querySelectorAll(".dot")).toHaveLength(1);
});

test("[B8] who has dispatched nothing yet has no waits", () => {
  render(<Wait wait={null} days={days} />);
  expect(screen.getByText("No session has started yet.")).toBeTruthy();
});
