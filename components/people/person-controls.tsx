"use client";
/** The button behind a person's name that opens what an administrator can change about them. */
import { useQueryClient } from "@tanstack/react-query";
import type { Person } from "@/server/contract/people";
import { api } from "../api";
import { usePoolNow } from "../live/live-provider";
import { countsOf } from "../pool/wording";
import { Icon } from "../ui/icon";
import { openMenu } from "../ui/menu";
import { inSentence } from "../ui/written";
import { personMenu } from "./person-actions";
import { peopleKey } from "./use-people";

export function PersonControls({ person }: { person: Person }) {
  const cache = useQueryClient();
  const poolNow = usePoolNow();
  const asNow = () => {
    const pool = poolNow();
    return pool === undefined ? person : { ...person, ...countsOf(pool, person.id) };
  };
  const changed = () =>
    Promise.all(
      [peopleKey, api.me.key(), api.users.get.key()].map((queryKey) => cache.invalidateQueries({ queryKey })),
    );
  return (
    <button
      type="button"
      className="btn sm ghost icon"
      aria-haspopup="menu"
      aria-label={`Change ${inSentence(person.name)}`}
      onClick={(event) =>
        openMenu(event.currentTarget, `Change ${inSentence(person.name)}`, personMenu(asNow(), changed))
      }
    >
      <Icon name="dots" small />
    </button>
  );
}
