"use client";
/** The row of tools above what an agent wrote: follow, and what else can be done with it. */
import type { MouseEvent } from "react";
import { Icon, type IconName } from "../ui/icon";

interface FollowProps {
  readonly isFollowing: boolean;
  readonly follow: (isFollowing: boolean) => void;
}

export function Follow({ isFollowing, follow }: FollowProps) {
  return (
    <button type="button" className="btn sm ghost end" aria-pressed={isFollowing} onClick={() => follow(!isFollowing)}>
      <Icon name="follow" small />
      Follow
    </button>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly hasMenu?: boolean;
  readonly run: (event: MouseEvent<HTMLButtonElement>) => void;
}

export function Tool({ icon, label, hasMenu, run }: ToolProps) {
  return (
    <button
      type="button"
      className="btn sm ghost icon"
      aria-label={label}
      aria-haspopup={hasMenu ? "menu" : undefined}
      title={label}
      onClick={run}
    >
      <Icon name={icon} small />
    </button>
  );
}
