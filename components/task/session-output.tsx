"use client";
/** What a session's agent said: a transcript where it speaks a protocol, else its output as it is. */
import type { ReactNode } from "react";
import type { Session } from "@/server/contract/sessions";
import type { Task } from "@/server/contract/tasks";
import { OutputView } from "../output/output-view";
import { useFormat } from "../transcript/use-format";
import { useOnDemand } from "../ui/on-demand";

const loadTranscript = async () => (await import("../transcript/transcript-view")).TranscriptView;

interface SessionOutputProps {
  readonly task: Task;
  readonly session: Session;
  /** How it ended; stands above. */
  readonly outcome: ReactNode;
}

export function SessionOutput({ task, session, outcome }: SessionOutputProps) {
  const format = useFormat(session);
  const isTalking = format !== null && format !== "text";
  const TranscriptView = useOnDemand(loadTranscript, isTalking);
  const { number } = task;
  if (session.outputRemoved) {
    return (
      <>
        {outcome}
        <p className="faint px-5 py-3">Output removed: it was kept as long as the settings say.</p>
      </>
    );
  }
  // Until it is known how to read it, nothing of it: a protocol's lines are for no reader.
  if (format === null) return outcome;
  if (!isTalking) return <OutputView key={session.id} session={session} number={number} outcome={outcome} />;
  if (TranscriptView === null) return outcome;
  const asked = session.message ?? task.prompt;
  return (
    <TranscriptView
      key={session.id}
      session={session}
      format={format}
      number={number}
      asked={asked}
      outcome={outcome}
    />
  );
}
