import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Project } from "@/server/contract/projects";
import { contract } from "@/server/contract/router";
import type { VariableView } from "@/server/contract/variables";
import { LiveProvider } from "../live/live-provider";
import { VariablesForm } from "./variables-form";

const project = { id: "p", name: "Shop", role: "owner" } as Project;
const changedAt = "2026-01-01T12:00:00.000Z";
let variables: VariableView[];

beforeEach(() => {
  variables = [{ name: "API_KEY", value: null, isSecret: true, isLost: false, changedAt }];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json({ items: variables, next: null });
    const { value } = (await request.json()) as { value: string };
    const made = { name: "PATH", value, isSecret: false, isLost: false, changedAt };
    variables = [...variables, made];
    return Response.json(made);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("[A1][B10] a name that may make every agent fail is saved, with a warning before and beside it", async () => {
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <VariablesForm project={project} />
    </LiveProvider>,
  );
  await screen.findByText("API_KEY");
  const warnings = () => screen.queryAllByText(/^It replaces the machine's PATH/);
  expect(warnings()).toHaveLength(0);
  fireEvent.change(screen.getByLabelText("Name"), { target: { value: "PATH" } });
  expect(warnings()).toHaveLength(1);
  fireEvent.change(screen.getByLabelText("Value"), { target: { value: "/nowhere" } });
  fireEvent.click(screen.getByLabelText("Secret"));
  fireEvent.click(screen.getByRole("button", { name: "Save" }));
  const row = (await screen.findByRole("button", { name: "Remove PATH" })).closest("li");
  expect(row?.textContent).toContain("an agent whose program is in none of its folders does not start");
  expect(warnings()).toHaveLength(1);
});
