import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { contract } from "@/server/contract/router";
import { LiveProvider } from "../live/live-provider";
import { ProjectFrame } from "./project-frame";

vi.mock("next/navigation", () => ({
  useRouter: () => ({ replace: () => {} }),
  useParams: () => ({ project: "gone" }),
  usePathname: () => "/projects/gone",
  useSelectedLayoutSegment: () => null,
}));
// Only what stands in their place is looked at.
vi.mock("../board/board", () => ({ Board: () => null }));
vi.mock("../task/task-beside", () => ({ TaskBeside: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("[S2][S6] who finds a project gone reads what became of agents at work in it", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ items: [], next: null }));
  render(
    <LiveProvider isSignedIn={false} first={null} moment={0} routes={contract}>
      <ProjectFrame projectId="gone">the board</ProjectFrame>
    </LiveProvider>,
  );
  const head = await screen.findByRole("heading", { name: "This project is not here" });
  expect(head.nextElementSibling?.textContent).toBe(
    "It was removed, or you are not a member of it. If agents of yours were at work in it, they were stopped; their work is kept on its branches.",
  );
});
