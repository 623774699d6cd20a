"use client";
/** How long an agent's question waits for an answer (R12). For administrators. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api, sentenceOf } from "../api";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { useTyped } from "../ui/use-typed";
import { answerMinutesMistake } from "./cap";

export function AnswerTime() {
  const { data } = useQuery(api.settings.get.queryOptions());
  // What went wrong is said once on this page, above the settings of the output.
  return data === undefined ? null : <AnswerTimeForm seconds={data.answerWithinSeconds} />;
}

function AnswerTimeForm({ seconds }: { seconds: number }) {
  const cache = useQueryClient();
  const kept = String(seconds / 60);
  const typed = useTyped(kept);
  const minutes = typed.text;
  const save = useMutation(
    api.settings.change.mutationOptions({
      onSuccess: (saved) => {
        cache.setQueryData(api.settings.get.queryKey(), saved);
        typed.forget();
        toast({ icon: "check", text: "Saved" });
      },
    }),
  );
  const mistake = answerMinutesMistake(minutes);
  const isChanged = minutes !== kept;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (mistake === null && isChanged) save.mutate({ answerWithinSeconds: Math.round(Number(minutes) * 60) });
  };
  return (
    <form className="panel" aria-label="Questions" onSubmit={submit}>
      <div className="panel-head">
        <h2>Questions</h2>
        <span className="faint cut">of agents, while they keep their seat</span>
      </div>
      <div className="panel-body grid gap-4">
        <Field
          className="max-w-[420px]"
          label="Wait for an answer, in minutes"
          hint="Then the session ends as “no answer”; its work is committed. It counts for questions that come from now on."
          mistake={mistake}
          inputMode="decimal"
          value={minutes}
          onChange={(event) => typed.change(event.target.value)}
          required
        />
        <FormMistake>{save.error === null ? null : sentenceOf(save.error)}</FormMistake>
      </div>
      <div className="panel-foot">
        <button type="submit" className="btn ink end" disabled={!isChanged || mistake !== null || save.isPending}>
          Save
        </button>
      </div>
    </form>
  );
}
