"use client";
/** Leads to the last board, or shows the guide while there is no project, and until it is left (B11). */
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { useMe } from "../people/use-people";
import { GUIDED, Guide } from "./guide";
import { useCurrentProject, useProjects } from "./use-projects";

export function FirstStop() {
  const router = useRouter();
  const me = useMe();
  const projects = useProjects();
  const current = useCurrentProject();
  const [isGuided, setGuided] = useState(false);
  const guided = useSearchParams().get(GUIDED);
  // After a reload it goes on where it stood.
  const resumed = projects?.find(({ id }) => id === guided) ?? null;

  useEffect(() => {
    if (projects?.length === 0 || resumed !== null) setGuided(true);
    else if (current !== null && !isGuided) router.replace(`/projects/${current.id}`);
  }, [projects, resumed, current, isGuided, router]);

  if (me === undefined || projects === undefined) return <main id="main" aria-busy="true" />;
  return isGuided ? <Guide me={me} resumed={resumed} /> : <main id="main" aria-busy="true" />;
}
