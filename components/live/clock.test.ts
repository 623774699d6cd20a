import { render } from "@testing-library/react";
import { createElement } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { clock, secondsBetween } from "../ui/time";
import { forgetServerTime, heardServerTime, serverNow, useServerNow } from "./clock";

beforeEach(() => {
  forgetServerTime();
});

function Now() {
  return String(useServerNow());
}

test("[B1][TIME-1] a browser whose clock is wrong shows the server's time, and late messages do not push it back", () => {
  vi.spyOn(performance, "now").mockReturnValue(1_000);
  heardServerTime(500_000);
  heardServerTime(400_000);
  expect(serverNow()).toBe(500_000);
  vi.spyOn(performance, "now").mockReturnValue(3_000);
  expect(serverNow()).toBe(502_000);
  heardServerTime(503_500);
  expect(serverNow()).toBe(503_500);
  vi.restoreAllMocks();
});

test("[B1][TIME-1] a clock is never negative", () => {
  expect(secondsBetween("2026-01-01T00:00:10.000Z", Date.parse("2026-01-01T00:00:00.000Z"))).toBe(0);
  expect(clock(-5)).toBe("0:00");
  expect(clock(872)).toBe("14:32");
  expect(clock(4_449)).toBe("1:14:09");
});

test("[B1][TIME-1] a clock that appears after a time without any shows what time it is, not when one was read last", () => {
  const time = vi.spyOn(performance, "now").mockReturnValue(1_000);
  heardServerTime(500_000);
  const first = render(createElement(Now));
  expect(first.container.textContent).toBe("500000");
  first.unmount();
  time.mockReturnValue(601_000);
  const second = render(createElement(Now));
  expect(second.container.textContent).toBe("1100000");
  second.unmount();
  vi.restoreAllMocks();
});
