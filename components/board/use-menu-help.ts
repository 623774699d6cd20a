"use client";
/** What the entries of a card's menu need to know, for whoever acts on cards without being drawn with them. */
import { useAgentNames } from "../agent/use-agents";
import { serverNow } from "../live/clock";
import { usePoolNow } from "../live/live-provider";
import { useMe } from "../people/use-people";
import { wouldBePlace } from "../pool/outlook";
import { useHolds } from "../pool/use-holds";
import { useProjects } from "../project/use-projects";
import { useTaskOpener } from "../task/open-task";
import { clock, secondsBetween } from "../ui/time";
import { copyLinkOf } from "./card-link";
import type { MenuHelp } from "./card-menu";
import type { BoardCard } from "./columns";
import { agentOf } from "./filter";
import { ownLineOf } from "./line-moves";
import { shelfNow } from "./shown-board";

export function useMenuHelp(projectId: string): (card: BoardCard) => MenuHelp {
  const me = useMe();
  const poolNow = usePoolNow();
  const agentName = useAgentNames(projectId);
  const holdOf = useHolds(projectId);
  const opener = useTaskOpener(projectId);
  const project = useProjects()?.find(({ id }) => id === projectId);
  return (card) => {
    const pool = poolNow();
    const startedAt = card.live?.startedAt ?? null;
    return {
      open: () => opener.open(card.task.number),
      copyLink: () => copyLinkOf(card.task),
      place: pool === undefined || me === undefined ? null : wouldBePlace(pool, me.id, holdOf(card.task.agentId)),
      line: ownLineOf(pool, me?.id, card),
      shelf: shelfNow(card),
      base: project?.baseBranch ?? null,
      hasGitHub: project?.hasGitHub ?? false,
      isAdmin: me?.role === "admin",
      agent: agentName(agentOf(card)),
      elapsed: () => clock(startedAt === null ? 0 : secondsBetween(startedAt, serverNow())),
    };
  };
}
