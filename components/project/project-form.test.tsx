import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { ProjectForm } from "./project-form";

/** Calls that make a project, and how they were answered; null: not yet. */
let asked: Request[] = [];
let answer: Response | null = null;
const done = vi.fn();

beforeEach(() => {
  asked = [];
  answer = null;
  done.mockClear();
  vi.stubGlobal("fetch", (request: Request) => {
    if (request.method === "GET") return Promise.resolve(Response.json({ items: [], next: null }));
    asked.push(request);
    if (answer !== null) return Promise.resolve(answer);
    return new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason));
    });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(address: string) {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <ProjectForm done={done} />
    </LiveProvider>,
  );
  fireEvent.click(screen.getByRole("radio", { name: "A clone URL" }));
  fireEvent.change(screen.getByLabelText("Address"), { target: { value: address } });
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "Shop" } });
  fireEvent.click(submit());
}
const submit = () => screen.getByRole("button", { name: /Make it and continue/ });

function refusal(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });
}

test("[W1] a clone says that it goes on and for how long, is asked for once, and can be given up", async () => {
  show("https://example.test/shop.git");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(screen.getByRole("status").textContent).toMatch(/^Cloning… \d:\d\d$/);
  expect(submit().getAttribute("aria-disabled")).toBe("true");
  fireEvent.click(submit());
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await vi.waitFor(() => expect(submit().getAttribute("aria-disabled")).toBeNull());
  expect(asked).toHaveLength(1);
  expect(asked[0]?.signal.aborted).toBe(true);
  expect(document.activeElement).toBe(submit());
  expect(screen.getByRole("status").textContent).toBe("");
  expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
  expect(screen.getByRole("alert").textContent).toBe("");
  expect(done).not.toHaveBeenCalled();
});

test("[W1] what the server says of the address stands at its field, which has the focus", async () => {
  const message = "The server refused the login.";
  answer = refusal(409, { code: "REPOSITORY_UNUSABLE", message, field: "repository" });
  show("https://example.test/shop.git");
  const address = screen.getByLabelText("Address");
  await vi.waitFor(() => expect(address.getAttribute("aria-invalid")).toBe("true"));
  const note = document.getElementById(address.getAttribute("aria-describedby") ?? "");
  expect([note?.textContent, note?.getAttribute("role")]).toEqual([message, "alert"]);
  expect(document.activeElement).toBe(address);
  fireEvent.change(address, { target: { value: "https://example.test/other.git" } });
  expect(address.getAttribute("aria-invalid")).toBeNull();
});

test.each(["example.test/shop.git", "/srv/shop", "sample"])(
  "[W1] what is no address is told as such, without a word of the other kinds: %s",
  async (given) => {
    show(given);
    const address = screen.getByLabelText("Address");
    await vi.waitFor(() => expect(address.getAttribute("aria-invalid")).toBe("true"));
    const note = document.getElementById(address.getAttribute("aria-describedby") ?? "")?.textContent;
    expect(note).toMatch(/^Give an address that begins with https/);
    expect(note).not.toMatch(/path\b.*beginning|sample/);
    expect(asked).toEqual([]);
  },
);

test("[B11] the name is proposed from the path until somebody writes one, and an empty one stays empty", () => {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <ProjectForm done={done} />
    </LiveProvider>,
  );
  const name = () => (screen.getByLabelText("Name") as HTMLInputElement).value;
  const give = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
  expect(name()).toBe("Sample shop");
  fireEvent.click(screen.getByRole("radio", { name: "A folder on this machine" }));
  expect(name()).toBe("");
  give("Path", "/srv/code/inn");
  expect(name()).toBe("inn");
  give("Name", "");
  give("Path", "/srv/code/tavern");
  expect(name()).toBe("");
});
