import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { useForgottenIntents, useOpenTask, useTaskOpener } from "./open-task";

const address = vi.hoisted(() => ({ number: undefined as string | undefined, pushed: [] as string[] }));
vi.mock("next/navigation", () => ({
  useParams: () => ({ project: "p", number: address.number }),
  useRouter: () => ({
    push: (to: string) => address.pushed.push(to),
    replace: (to: string) => address.pushed.push(`instead: ${to}`),
    back: () => address.pushed.push("back"),
  }),
}));

afterEach(() => {
  cleanup();
  address.number = undefined;
  address.pushed = [];
});

function board() {
  return renderHook(() => {
    useForgottenIntents();
    return { open: useOpenTask(), opener: useTaskOpener("p") };
  });
}

test("[B7][B5] a task opens and closes at once, before the address has followed", () => {
  const { result, rerender } = board();
  act(() => result.current.opener.open(12));
  expect(result.current.open).toBe(12);
  expect(address.pushed).toEqual(["/projects/p/tasks/12"]);
  address.number = "12";
  rerender();
  expect(result.current.open).toBe(12);
  act(() => result.current.opener.close());
  expect(result.current.open).toBeNull();
  expect(address.pushed.at(-1)).toBe("back");
});

test("[B7] however many tasks were looked at, the history has one entry more, and closing takes it away", () => {
  const { result, rerender } = board();
  act(() => result.current.opener.open(12));
  address.number = "12";
  rerender();
  act(() => result.current.opener.open(13));
  address.number = "13";
  rerender();
  expect(address.pushed).toEqual(["/projects/p/tasks/12", "instead: /projects/p/tasks/13"]);
  act(() => result.current.opener.close());
  expect(address.pushed.at(-1)).toBe("back");
});

test("[B7] closed before the address has followed, a task leaves nothing behind either", () => {
  const { result, rerender } = board();
  act(() => result.current.opener.open(12));
  act(() => result.current.opener.close());
  expect(address.pushed).toEqual(["/projects/p/tasks/12", "instead: /projects/p"]);
  act(() => result.current.opener.open(12));
  address.number = "12";
  rerender();
  act(() => result.current.opener.open(13));
  act(() => result.current.opener.close());
  expect(address.pushed.slice(2)).toEqual(["/projects/p/tasks/12", "instead: /projects/p/tasks/13", "back"]);
});

test("[B7] a task that was not opened from the board is closed to the board, and not to where one was before", () => {
  address.number = "12";
  const { result } = board();
  act(() => result.current.opener.close());
  expect(address.pushed).toEqual(["instead: /projects/p"]);
});

test("[B7] once the address has followed it counts alone, so that back and forward are right", () => {
  const { result, rerender } = board();
  act(() => result.current.opener.open(12));
  address.number = "12";
  rerender();
  act(() => result.current.opener.close());
  address.number = undefined;
  rerender();
  expect(result.current.open).toBeNull();
  address.number = "12";
  rerender();
  expect(result.current.open).toBe(12);
});
