"use client";
/** How long the output of ended sessions is kept (R14). For administrators. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { SettingsView } from "@/server/contract/settings-calls";
import { api, sentenceOf } from "../api";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { useTyped } from "../ui/use-typed";
import { daysMistake, gigabytesMistake } from "./cap";

const GB = 1_000_000_000;

export function Retention() {
  const { data, error } = useQuery(api.settings.get.queryOptions());
  if (error !== null) return <FormMistake>{sentenceOf(error)}</FormMistake>;
  return data === undefined ? <section className="panel" aria-busy="true" /> : <RetentionForm kept={data} />;
}

function RetentionForm({ kept }: { kept: SettingsView }) {
  const cache = useQueryClient();
  const typedDays = useTyped(String(kept.outputDays));
  const typedGigabytes = useTyped(String(kept.outputMaxBytes / GB));
  const [days, gigabytes] = [typedDays.text, typedGigabytes.text];
  const save = useMutation(
    api.settings.change.mutationOptions({
      onSuccess: (saved) => {
        cache.setQueryData(api.settings.get.queryKey(), saved);
        typedDays.forget();
        typedGigabytes.forget();
        toast({ icon: "check", text: "Saved" });
      },
    }),
  );
  const wish = { outputDays: Number(days), outputMaxBytes: Math.round(Number(gigabytes) * GB) };
  const isValid = daysMistake(days) === null && gigabytesMistake(gigabytes) === null;
  const isChanged = wish.outputDays !== kept.outputDays || wish.outputMaxBytes !== kept.outputMaxBytes;
  const isLess = wish.outputDays < kept.outputDays || wish.outputMaxBytes < kept.outputMaxBytes;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && isChanged) save.mutate(wish);
  };
  return (
    <form className="panel" aria-label="Output" onSubmit={submit}>
      <div className="panel-head">
        <h2>Output</h2>
        <span className="faint">of ended sessions; cards and branches stay</span>
      </div>
      <div className="panel-body grid gap-4">
        <div className="flex flex-wrap gap-6">
          <Field
            label="Kept for days"
            mistake={daysMistake(days)}
            inputMode="numeric"
            value={days}
            onChange={(event) => typedDays.change(event.target.value)}
            required
          />
          <Field
            label="At most, in GB"
            hint="The newest is kept."
            mistake={gigabytesMistake(gigabytes)}
            inputMode="decimal"
            value={gigabytes}
            onChange={(event) => typedGigabytes.change(event.target.value)}
            required
          />
        </div>
        {isValid && isChanged && isLess ? (
          <div className="effect" role="status">
            <h3>If you save this</h3>
            <ul>
              <li>Older output above it is removed for good.</li>
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
