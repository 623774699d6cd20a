"use client";
/** Limits of single people; empty means the general one. Both are from the pool's picture, so they are always as they are. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import type { Person } from "@/server/contract/people";
import { api, sentenceOf } from "../api";
import { usePool } from "../live/live-provider";
import { usePeople } from "../people/use-people";
import { Avatar } from "../ui/person";
import { toast } from "../ui/toast";
import { capMistake } from "./cap";

export function UserCaps() {
  const { all } = usePeople();
  const pool = usePool();
  if (pool === undefined) return null;
  return (
    <section className="panel" aria-labelledby="user-caps">
      <div className="panel-head">
        <h2 id="user-caps">Limits of single people</h2>
        <span className="faint cut">empty: {pool.perUserMax}, as everybody</span>
      </div>
      <ul className="rows">
        {all.map((person) => (
          <UserCap
            key={person.id}
            person={person}
            limit={pool.limits[person.id] ?? null}
            perUserMax={pool.perUserMax}
          />
        ))}
      </ul>
    </section>
  );
}

interface UserCapProps {
  readonly person: Person;
  /** Their own; null: they have the general one. */
  readonly limit: number | null;
  readonly perUserMax: number;
}

function UserCap({ person, limit, perUserMax }: UserCapProps) {
  const [text, setText] = useState<string | null>(null);
  const shown = text ?? (limit === null ? "" : String(limit));
  const save = useMutation(
    api.pool.setUser.mutationOptions({
      onSuccess: () => setText(null),
      onError: (error) => toast({ icon: "alert", isBad: true, text: sentenceOf(error) }),
    }),
  );
  const isEmpty = shown.trim() === "";
  const mistake = isEmpty ? null : capMistake(shown);
  const isValid = mistake === null;
  const noteId = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) save.mutate({ id: person.id, max: isEmpty ? null : Number(shown) });
  };
  return (
    <li className="py-1">
      <Avatar userId={person.id} name={person.name} />
      <span className="cut" dir="auto">
        {person.name}
      </span>
      <form className="end grid justify-items-end gap-1" onSubmit={submit}>
        <span className="flex items-center gap-2">
          <span className={`field num shrink-0 ${isValid ? "" : "bad-input"}`}>
            <input
              aria-label={`Limit of ${person.name}; empty for ${perUserMax}`}
              inputMode="numeric"
              value={shown}
              placeholder={String(perUserMax)}
              aria-invalid={!isValid || undefined}
              aria-describedby={isValid ? undefined : noteId}
              onChange={(event) => setText(event.target.value)}
            />
          </span>
          <button type="submit" className="btn sm" disabled={text === null || !isValid || save.isPending}>
            Save
          </button>
        </span>
        {isValid ? null : (
          <span id={noteId} className="bad text-12" role="alert">
            {mistake}
          </span>
        )}
      </form>
    </li>
  );
}
