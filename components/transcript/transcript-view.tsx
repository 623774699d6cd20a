"use client";
/**
 * What an agent with a protocol says and does, live (B7): messages, thoughts, tool calls, plans, questions, errors. Give it
 * `key={session.id}`. Its lines as they were received are in the terminal.
 */
import { type MouseEvent, type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import type { Session } from "@/server/contract/sessions";
import type { StreamFormat } from "@/server/core/agent/events";
import type { TranscriptItem } from "@/server/core/agent/transcript";
import { sentenceOf } from "../api";
import type { TranscriptPicture } from "../live/transcript-log";
import { useTranscript } from "../live/use-transcript";
import { FindBar } from "../output/find-bar";
import { saveBlob, saveOutput } from "../output/save-output";
import { Follow, Tool } from "../output/tools";
import { useFind } from "../output/use-find";
import { openMenu } from "../ui/menu";
import { useOnDemand } from "../ui/on-demand";
import { toast } from "../ui/toast";
import { rowsOf, searchedText, textOfRows } from "./rows";
import { TranscriptList } from "./transcript-list";

const loadMarkdown = async () => (await import("./markdown")).Markdown;

const SEARCHED = { textOf: searchedText, keyOf: ({ n }: { readonly n: number }) => String(n) };

interface TranscriptViewProps {
  readonly session: Session;
  readonly format: StreamFormat;
  /** Of the task; for the file's name. */
  readonly number: number;
  /** What it was asked, where the agent itself does not tell it again. */
  readonly asked: string;
  /** How it ended; stands above. */
  readonly outcome: ReactNode;
}

export function TranscriptView({ session, format, number, asked, outcome }: TranscriptViewProps) {
  const [isFollowing, setFollowing] = useState(true);
  // However fast an agent writes, a click goes before reading it.
  const picture = useDeferredValue(useTranscript(session.id, format));
  const { items } = picture.transcript;
  const isOver = session.status !== "queued" && session.status !== "running";
  const isAtWork = !picture.isComplete && !isOver;
  const rows = useMemo(() => rowsOf(withAsked(items, asked), isAtWork), [items, asked, isAtWork]);
  const Markdown = useOnDemand(loadMarkdown, true);
  const box = useRef<HTMLDivElement>(null);
  const find = useFind(rows, SEARCHED);
  // Who saw it run sees its last words before they are told that it is over; who comes later is told at once.
  const [wasOver] = useState(isOver);

  const failed = (error: unknown) => toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
  const copy = async () => {
    await navigator.clipboard?.writeText(textOfRows(rows));
    toast({ icon: "copy", text: "Transcript copied" });
  };
  const save = (event: MouseEvent<HTMLButtonElement>) =>
    openMenu(event.currentTarget, "Download", [
      {
        kind: "entry",
        icon: "file",
        label: "The transcript (Markdown)",
        run: () => saveBlob(new Blob([textOfRows(rows)], { type: "text/markdown" }), `task-${number}-transcript.md`),
      },
      {
        kind: "entry",
        icon: "term",
        label: "The lines as received",
        run: () => void saveOutput(session.id, `task-${number}-output.ndjson`).catch(failed),
      },
    ]);

  return (
    <>
      {picture.isComplete || !isFollowing || wasOver ? outcome : null}
      <div className="out">
        <div className="out-tools">
          <span className="faint cut" dir="auto">
            {aboutOf(picture, isOver)}
          </span>
          <Follow isFollowing={isFollowing} follow={setFollowing} />
          <Tool icon="search" label="Search the transcript" run={find.open} />
          <Tool icon="copy" label="Copy all" run={() => void copy()} />
          <Tool icon="down" label="Download" hasMenu run={save} />
        </div>
        {find.isOpen ? <FindBar find={find} closed={() => box.current?.focus({ preventScroll: true })} /> : null}
        <TranscriptList
          box={box}
          rows={rows}
          find={find}
          isFollowing={isFollowing}
          follow={setFollowing}
          isAtWork={isAtWork}
          Markdown={Markdown}
          empty={emptyWord(picture.isComplete, isOver || (session.outputBytes ?? 0) > 0)}
        />
      </div>
    </>
  );
}

function emptyWord(isComplete: boolean, hasOutput: boolean): string {
  if (isComplete) return "The agent said nothing.";
  return hasOutput ? "Reading what the agent said…" : "Nothing said yet.";
}

/** Some agents tell again what they were asked, some do not. */
function withAsked(items: readonly TranscriptItem[], asked: string): readonly TranscriptItem[] {
  const isTold = asked === "" || items.length === 0 || items.some(({ kind }) => kind === "person");
  return isTold ? items : [{ kind: "person", n: 0, text: asked }, ...items];
}

function aboutOf({ transcript, used }: TranscriptPicture, isOver: boolean): string {
  const { agent, agentVersion, model } = transcript;
  const program = [agent, agentVersion].filter((part) => part !== null).join(" ");
  const tokens = used === null ? 0 : used.input + used.cachedInput + used.output;
  const soFar = isOver || tokens === 0 ? "" : `${tokens.toLocaleString("en")} tokens so far`;
  return [program, model, soFar].filter(Boolean).join(" · ");
}
