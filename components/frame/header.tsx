"use client";
/** The header: where one is, the table of seats, and what one can begin. Never fetches on its own account. */
import { skipToken, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { BoardPicture } from "../live/board-state";
import { liveKeys } from "../live/keys";
import { Figures } from "../pool/figures";
import { Seats } from "../pool/seats";
import { usePoolReader } from "../pool/use-reader";
import { useCurrentProject } from "../project/use-projects";
import { Brand, Icon } from "../ui/icon";
import { CommandKbd, Kbd } from "../ui/kbd";
import { AvatarMenu } from "./avatar-menu";
import { useMainPlaces } from "./main-places";
import { newTaskSlot, paletteSlot } from "./places";
import { PlacesMenu } from "./places-menu";
import { ProjectSwitch } from "./project-switch";

export function Header() {
  const project = useCurrentProject();
  const places = useMainPlaces();
  return (
    <header className="top">
      <Link className="brand" href="/" aria-label="Camelot, home">
        <Brand />
        <span>Camelot</span>
      </Link>
      <span className="slash wide-only" aria-hidden="true" />
      <ProjectSwitch project={project} />
      <nav className="nav" aria-label="Main">
        {places.map(({ href, label, isHere }) => (
          <Link key={label} href={href} aria-current={isHere ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <PoolSummary projectId={project?.id ?? null} />
      <div className="top-end">
        <button
          type="button"
          className="btn search"
          aria-label="Search or jump to"
          onClick={() => paletteSlot.open("")}
        >
          <Icon name="search" small />
          <span className="faint words">Search or jump…</span>
          <CommandKbd>K</CommandKbd>
        </button>
        {project === null ? null : (
          <button type="button" className="btn ink new" onClick={() => newTaskSlot.open(project.id)}>
            <Icon name="plus" small />
            New task <Kbd>C</Kbd>
          </button>
        )}
        <AvatarMenu />
        <PlacesMenu />
      </div>
    </header>
  );
}

/** One group: the table and its figures, from one picture. */
function PoolSummary({ projectId }: { projectId: string | null }) {
  const { data } = useQuery<BoardPicture>({ queryKey: liveKeys.board(projectId ?? ""), queryFn: skipToken });
  const reader = usePoolReader(data?.tasks);
  return (
    <section className="pool" aria-label="Pool">
      {reader === null ? null : (
        <>
          <Seats reader={reader} />
          <Figures reader={reader} />
        </>
      )}
    </section>
  );
}
