"use client";
/** Seats in all, seats per person, pause; with what it would do before it is saved. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, sentenceOf } from "../api";
import { usePool } from "../live/live-provider";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { capMistake } from "./cap";
import { type CapsWish, effectOf } from "./effect";

export function CapsForm({ caps }: { caps: CapsWish }) {
  const cache = useQueryClient();
  const pool = usePool();
  const [globalMax, setGlobalMax] = useState(String(caps.globalMax));
  const [perUserMax, setPerUserMax] = useState(String(caps.perUserMax));
  const [paused, setPaused] = useState(caps.paused);
  const save = useMutation(
    api.pool.change.mutationOptions({
      onSuccess: async () => {
        toast({ icon: "check", text: "Saved" });
        await cache.invalidateQueries({ queryKey: api.pool.settings.key() });
      },
    }),
  );
  const wish: CapsWish = { globalMax: Number(globalMax), perUserMax: Number(perUserMax), paused };
  const isValid = capMistake(globalMax) === null && capMistake(perUserMax) === null;
  const isChanged =
    wish.globalMax !== caps.globalMax || wish.perUserMax !== caps.perUserMax || wish.paused !== caps.paused;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) save.mutate(wish);
  };
  return (
    <form className="panel" aria-label="Pool" onSubmit={submit}>
      <div className="panel-head">
        <h2>Pool</h2>
      </div>
      <div className="panel-body grid gap-4">
        <div className="flex flex-wrap gap-6">
          <NumberField
            label="Seats"
            value={globalMax}
            change={setGlobalMax}
            hint="How many agents run at once, in all."
          />
          <NumberField
            label="Seats per person"
            value={perUserMax}
            change={setPerUserMax}
            hint="Whoever has no limit of their own."
          />
        </div>
        <label className="flex items-center gap-2.5">
          <input type="checkbox" checked={paused} onChange={(event) => setPaused(event.target.checked)} />
          Pause: dispatches are accepted and wait, running sessions go on
        </label>
        {isChanged && isValid && pool !== undefined ? (
          <div className="effect" role="status">
            <h3>If you save this</h3>
            <ul>
              {effectOf(pool, caps, wish).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
        ) : null}
        <FormMistake>{save.error === null ? null : sentenceOf(save.error)}</FormMistake>
      </div>
      <div className="panel-foot">
        <button type="submit" className="btn ink end" disabled={!isChanged || !isValid || save.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly change: (value: string) => void;
}

function NumberField({ label, value, hint, change }: NumberFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      mistake={capMistake(value)}
      inputMode="numeric"
      value={value}
      onChange={(event) => change(event.target.value)}
      required
    />
  );
}
