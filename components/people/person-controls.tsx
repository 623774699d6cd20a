"use client";
/** The button behind a person's name that opens what an administrator can change about them. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Person } from "@/server/contract/people";
import { api } from "../api";
import { usePoolNow } from "../live/live-provider";
import { countsOf } from "../pool/wording";
import { Icon } from "../ui/icon";
import { openMenu } from "../ui/menu";
import { useOnDemand } from "../ui/on-demand";
import { inSentence } from "../ui/written";
import { personMenu } from "./person-actions";
import { peopleKey, useMe } from "./use-people";

const loadNewPassword = async () => (await import("./new-password")).NewPassword;

export function PersonControls({ person }: { person: Person }) {
  const cache = useQueryClient();
  const poolNow = usePoolNow();
  const isMe = useMe()?.id === person.id;
  const [password, setPassword] = useState<string | null>(null);
  const NewPassword = useOnDemand(loadNewPassword, password !== null);
  const asNow = () => {
    const pool = poolNow();
    return pool === undefined ? person : { ...person, ...countsOf(pool, person.id) };
  };
  const changed = () =>
    Promise.all(
      [peopleKey, api.me.key(), api.users.get.key()].map((queryKey) => cache.invalidateQueries({ queryKey })),
    );
  const options = { changed, showPassword: isMe ? null : setPassword };
  return (
    <>
      <button
        type="button"
        className="btn sm ghost icon"
        aria-haspopup="menu"
        aria-label={`Change ${inSentence(person.name)}`}
        onClick={(event) =>
          openMenu(event.currentTarget, `Change ${inSentence(person.name)}`, personMenu(asNow(), options))
        }
      >
        <Icon name="dots" small />
      </button>
      {password === null || NewPassword === null ? null : (
        <NewPassword name={person.name} password={password} close={() => setPassword(null)} />
      )}
    </>
  );
}
