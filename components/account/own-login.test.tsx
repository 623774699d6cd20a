import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { questionSlot } from "../ui/ask";
import { AskView } from "../ui/ask-view";
import { drawToasts } from "../ui/toast";
import { OwnLogin } from "./own-login";

vi.mock("../people/use-people", () => ({ useMe: () => ({ id: "p1", name: "Ada", email: "ada@example.test" }) }));

const sent: string[] = [];
const news: string[] = [];
let refusal: { message: string; field?: string } | null;
let undraw: () => void;

beforeEach(() => {
  sent.length = 0;
  news.length = 0;
  refusal = null;
  undraw = drawToasts(({ text }) => news.push(text));
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string }) => {
    sent.push(`${address} ${body}`);
    return Response.json(refusal ?? {}, { status: refusal === null ? 200 : 400 });
  });
  render(<OwnLogin />);
});
afterEach(() => {
  undraw();
  cleanup();
  vi.unstubAllGlobals();
});

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

test("[S1] a name is changed when it is another one", async () => {
  expect(button("Change name").disabled).toBe(true);
  write("Name", "Ada ");
  expect(button("Change name").disabled).toBe(true);
  write("Name", "Ada Lovelace");
  fireEvent.click(button("Change name"));
  await waitFor(() => expect(news).toEqual(["Your name is changed."]));
  expect(sent).toEqual(['/api/auth/update-user {"name":"Ada Lovelace"}']);
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
});

test("[S1] a refused password says why and keeps what was written; one that is taken is forgotten", async () => {
  write("Current password", "wrong");
  expect(button("Change password").disabled).toBe(true);
  write("New password", "another password");
  refusal = { message: "The current password is wrong.", field: "currentPassword" };
  fireEvent.click(button("Change password"));
  await screen.findByText("The current password is wrong.");
  const current = screen.getByLabelText("Current password");
  expect([document.activeElement, current.getAttribute("aria-invalid")]).toEqual([current, "true"]);
  expect(screen.getByLabelText<HTMLInputElement>("New password").value).toBe("another password");
  refusal = null;
  write("Current password", "right one");
  fireEvent.click(button("Change password"));
  await waitFor(() => expect(news).toEqual(["Your password is changed. Every other browser is signed out."]));
  expect(screen.queryByText("The current password is wrong.")).toBeNull();
  for (const label of ["Current password", "New password"]) {
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe("");
  }
  expect(sent.at(-1)).toBe(
    '/api/auth/change-password {"currentPassword":"right one","newPassword":"another password"}',
  );
});

test("[S1] what is no field's fault is the form's, and may be tried again", async () => {
  write("Name", "Ada Lovelace");
  refusal = { message: "The server is busy." };
  for (const times of [1, 2]) {
    fireEvent.click(button("Change name"));
    await waitFor(() => expect(sent).toHaveLength(times));
    await screen.findByText("The server is busy.");
  }
});

test("[S1] a password can be read by whoever typed it", () => {
  const field = screen.getByLabelText<HTMLInputElement>("New password");
  const show = within(field.parentElement as HTMLElement).getByRole("button", { name: "Show what is typed" });
  expect([field.type, show.getAttribute("aria-pressed")]).toEqual(["password", "false"]);
  fireEvent.click(show);
  expect([field.type, show.getAttribute("aria-pressed")]).toEqual(["text", "true"]);
});

test("[S1] every other login is ended after a question", async () => {
  fireEvent.click(button("Sign out elsewhere"));
  const question = await waitFor(() => {
    const open = questionSlot.held();
    if (open === null) throw new Error("nothing was asked");
    return open;
  });
  expect(sent).toEqual([]);
  const asked = render(<AskView question={question} />);
  fireEvent.click(asked.getAllByRole("button", { name: "Sign out elsewhere" }).at(-1) as HTMLElement);
  await waitFor(() => expect(news).toEqual(["Every other browser is signed out."]));
  expect(sent).toEqual(["/api/auth/revoke-other-sessions {}"]);
});
