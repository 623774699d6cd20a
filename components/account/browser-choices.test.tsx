import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { hasLetterKeys } from "../frame/letter-keys";
import { wantsNotices } from "../notice/choice";
import { BrowserChoices } from "./browser-choices";

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function browserThatSays(answer: NotificationPermission) {
  const requestPermission = vi.fn(async () => answer);
  vi.stubGlobal("Notification", { permission: "default", requestPermission });
  return requestPermission;
}

test("[B14] notifications are off until somebody switches them on, and the browser is asked at that press only", async () => {
  const asked = browserThatSays("granted");
  render(<BrowserChoices />);
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Notifications" });
  expect([box.checked, wantsNotices(), asked.mock.calls.length]).toEqual([false, false, 0]);
  fireEvent.click(box);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
  expect([box.checked, wantsNotices()]).toEqual([true, true]);
  fireEvent.click(box);
  expect([box.checked, wantsNotices(), asked.mock.calls.length]).toEqual([false, false, 1]);
});

test("[B14] where the browser says no, the page says what works all the same", async () => {
  browserThatSays("denied");
  render(<BrowserChoices />);
  fireEvent.click(screen.getByRole("checkbox", { name: "Notifications" }));
  await screen.findByText(/does not allow notifications.*The figure in the title works without it/);
  expect(wantsNotices()).toBe(true);
});

test("[B4] keys of one letter can be switched off, and stay off", () => {
  render(<BrowserChoices />);
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Keys of one letter" });
  expect([box.checked, hasLetterKeys()]).toEqual([true, true]);
  fireEvent.click(box);
  expect([box.checked, hasLetterKeys()]).toEqual([false, false]);
  cleanup();
  render(<BrowserChoices />);
  expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "Keys of one letter" }).checked).toBe(false);
});
