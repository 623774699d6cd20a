"use client";
/** Leads to the last board, or shows the guide while there is no project (B11). */
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useMe } from "../people/use-people";
import { Guide } from "./guide";
import { useCurrentProject, useProjects } from "./use-projects";

export function FirstStop() {
  const router = useRouter();
  const me = useMe();
  const projects = useProjects();
  const current = useCurrentProject();
  const [isGuided, setGuided] = useState(false);

  useEffect(() => {
    if (projects?.length === 0) setGuided(true);
    else if (current !== null && !isGuided) router.replace(`/projects/${current.id}`);
  }, [projects, current, isGuided, router]);

  if (me === undefined || projects === undefined) return <main id="main" aria-busy="true" />;
  return isGuided ? <Guide me={me} /> : <main id="main" aria-busy="true" />;
}
