import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useTab } from "./use-tab";

const address = vi.hoisted(() => ({ number: "12" }));
vi.mock("next/navigation", () => ({ useParams: () => address, useRouter: () => ({}) }));

beforeEach(() => {
  address.number = "12";
});
afterEach(() => {
  cleanup();
  history.replaceState(null, "", location.pathname);
});

test("[B7] the address has the tab that was pressed, and shows it to whoever comes with it", () => {
  const { result } = renderHook(() => useTab(12));
  expect(result.current.choice).toBeNull();
  act(() => result.current.choose("diff"));
  expect([result.current.choice, location.hash]).toEqual(["diff", "#diff"]);
  cleanup();
  expect(renderHook(() => useTab(12)).result.current.choice).toBe("diff");
});

test("[B7] a tab that nobody has heard of is none", () => {
  history.replaceState(null, "", "#nonsense");
  expect(renderHook(() => useTab(12)).result.current.choice).toBeNull();
});

test("[B7][B5] while the address still says another task, its tab is not this one’s, and nothing is written there", () => {
  address.number = "11";
  history.replaceState(null, "", "#terminal");
  const { result, rerender } = renderHook(() => useTab(12));
  expect(result.current.choice).toBeNull();
  act(() => result.current.choose("diff"));
  expect([result.current.choice, location.hash]).toEqual(["diff", "#terminal"]);
  address.number = "12";
  rerender();
  expect(location.hash).toBe("#diff");
});

test("[B7] what news or a touch chooses leaves the address alone", () => {
  const { result } = renderHook(() => useTab(12));
  act(() => result.current.setChoice("output"));
  expect([result.current.choice, location.hash]).toEqual(["output", ""]);
});
