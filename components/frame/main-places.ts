"use client";
/** Where one can go from everywhere: the same places in the header's row and, on narrow screens, in its menu. */
import { usePathname } from "next/navigation";
import { useCurrentProject } from "../project/use-projects";

export interface MainPlace {
  readonly href: string;
  readonly label: string;
  readonly isHere: boolean;
}

export function useMainPlaces(): readonly MainPlace[] {
  const project = useCurrentProject();
  const path = usePathname();
  return [
    {
      href: project === null ? "/" : `/projects/${project.id}`,
      label: "Board",
      isHere: path.startsWith("/projects/") && path !== "/projects/new" && !path.endsWith("/settings"),
    },
    { href: "/pool", label: "Pool", isHere: path === "/pool" },
    { href: "/agents", label: "Agents", isHere: path === "/agents" },
    { href: "/people", label: "People", isHere: path === "/people" || path.startsWith("/people/") },
  ];
}
