"use client";
/** API tokens of one's own (S5): made with a name and a scope, shown once, revoked at any time. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Token } from "@/server/contract/access";
import { api, client, sentenceOf } from "../api";
import { useServerNow } from "../live/clock";
import { ask } from "../ui/ask";
import { FormMistake } from "../ui/field";
import { ShownOnce } from "../ui/shown-once";
import { age, secondsBetween } from "../ui/time";
import { toast } from "../ui/toast";
import { useOnePress } from "../ui/use-one-press";
import { inSentence } from "../ui/written";

type Scope = Token["scope"];

/** What each scope lets a program do, in a few words and whole; never more than its owner may. */
const SCOPES: Record<Scope, string> = {
  read: "read: see what you see",
  dispatch: "dispatch: also work on tasks",
  admin: "admin: everything you may do",
};
const HINTS: Record<Scope, string> = {
  read: "It can read, and change nothing.",
  dispatch: "Makes, changes, moves and deletes tasks, dispatches and stops, answers, merges and pushes. Nothing else.",
  admin: "Projects, members, variables, agents and other tokens too. Neither your password nor your logins.",
};

export function Tokens() {
  const options = api.tokens.list.queryOptions();
  const { data } = useQuery(options);
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: options.queryKey });
  const tokens = data?.items ?? [];
  return (
    <section className="panel" aria-labelledby="tokens-head">
      <div className="panel-head">
        <h2 id="tokens-head">API tokens</h2>
        <span className="dim">{tokens.length}</span>
      </div>
      {data !== undefined && tokens.length === 0 ? (
        <p className="panel-body dim">With a token a program of yours calls the API: Authorization: Bearer …</p>
      ) : null}
      <ul className="rows">
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} refresh={refresh} />
        ))}
      </ul>
      <NewToken refresh={refresh} />
    </section>
  );
}

function TokenRow({ token, refresh }: { token: Token; refresh: () => Promise<void> }) {
  const now = useServerNow();
  const used = token.lastUsedAt === null ? "never used" : `used ${ago(secondsBetween(token.lastUsedAt, now))}`;
  const revoke = async () => {
    const isSure = await ask({
      title: `Revoke ${inSentence(token.name)}?`,
      text: "Programs that use it are turned away at once, and their connections end.",
      yes: "Revoke",
      no: "Keep it",
    });
    if (!isSure) return;
    try {
      await client.tokens.revoke({ id: token.id });
      await refresh();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  return (
    <li className="py-1">
      <span className="cut" dir="auto">
        {token.name}
      </span>
      <span className="dim">{token.scope}</span>
      <span className="faint">{used}</span>
      <button
        type="button"
        className="btn sm ghost end"
        aria-label={`Revoke ${inSentence(token.name)}`}
        onClick={() => void revoke()}
      >
        Revoke
      </button>
    </li>
  );
}

function ago(seconds: number): string {
  const old = age(seconds);
  return old === "now" || old === "yesterday" ? old : `${old} ago`;
}

function NewToken({ refresh }: { refresh: () => Promise<void> }) {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Scope>("read");
  const make = useMutation(
    api.tokens.make.mutationOptions({
      onSuccess: async () => {
        setName("");
        await refresh();
      },
    }),
  );
  const onePress = useOnePress();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") void onePress(() => make.mutateAsync({ name, scope }));
  };
  return (
    <>
      {make.data === undefined ? null : (
        <div className="panel-foot flex-wrap">
          <ShownOnce
            label={`Token ${inSentence(make.data.name)}`}
            value={make.data.token}
            hint="Copy it now: it is shown only this once."
          />
        </div>
      )}
      <form className="panel-foot flex-wrap" onSubmit={submit}>
        <span className="field flex-1">
          <input
            aria-label="Name of the token"
            placeholder="What is it for?"
            value={name}
            maxLength={200}
            dir="auto"
            onChange={(event) => setName(event.target.value)}
          />
        </span>
        <span className="field">
          <select aria-label="Scope" value={scope} onChange={(event) => setScope(scopeOf(event.target.value))}>
            {Object.entries(SCOPES).map(([one, label]) => (
              <option key={one} value={one}>
                {label}
              </option>
            ))}
          </select>
        </span>
        <button type="submit" className="btn" disabled={name.trim() === "" || make.isPending}>
          Make a token
        </button>
        <p className="hint m-0! w-full">{HINTS[scope]}</p>
        {make.error === null ? null : <FormMistake>{sentenceOf(make.error)}</FormMistake>}
      </form>
    </>
  );
}

function scopeOf(text: string): Scope {
  return text === "dispatch" || text === "admin" ? text : "read";
}
