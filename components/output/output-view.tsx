"use client";
/**
 * One session's output as a readable text, live (B7). Give it `key={session.id}`. The tools stand in a row above: follow,
 * search, copy, download.
 */
import { useDeferredValue, useMemo, useRef, useState } from "react";
import type { Session } from "@/server/contract/sessions";
import { sentenceOf } from "../api";
import { useOutput } from "../live/use-output";
import { Icon } from "../ui/icon";
import { toast } from "../ui/toast";
import { textOfLines } from "./ansi";
import { FindBar } from "./find-bar";
import { Log } from "./log";
import { OutputRows } from "./output-rows";
import { saveOutput } from "./save-output";
import { useFind } from "./use-find";

interface OutputViewProps {
  readonly session: Session;
  /** Of the task; for the file's name. */
  readonly number: number;
}

export function OutputView({ session, number }: OutputViewProps) {
  const output = useOutput(session.id, session.outputBytes);
  const [reader] = useState(() => new OutputRows());
  // However fast an agent writes, a click goes before reading it.
  const pieces = useDeferredValue(output.pieces);
  const rows = useMemo(() => reader.of(pieces), [reader, pieces]);
  const box = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const find = useFind(rows);
  const isOver = session.status !== "queued" && session.status !== "running";

  const earlier = () => {
    setFollowing(false);
    box.current?.scrollTo({ top: 0 });
    void output.loadEarlier();
  };
  const copy = async () => {
    const text = textOfLines(rows.map(({ line }) => line));
    await navigator.clipboard?.writeText(text);
    toast({ icon: "copy", text: output.start === 0 ? "Output copied" : "The shown part of the output copied" });
  };
  const save = () =>
    saveOutput(session.id, `task-${number}-output.txt`).catch((error: unknown) =>
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) }),
    );

  return (
    <div className="out">
      <div className="out-tools">
        <span className="faint cut">{partOf(output.start, output.end, output.state)}</span>
        {output.start > 0 ? (
          <button
            type="button"
            className="btn sm out-earlier"
            aria-label="Show earlier output"
            disabled={output.isReadingEarlier}
            onClick={earlier}
          >
            <Icon name="up" small />
            Earlier
          </button>
        ) : null}
        <button
          type="button"
          className="btn sm ghost end"
          aria-pressed={isFollowing}
          onClick={() => setFollowing(!isFollowing)}
        >
          <Icon name="follow" small />
          Follow
        </button>
        <Tool icon="search" label="Search output" run={find.open} />
        <Tool icon="copy" label="Copy all" run={() => void copy()} />
        <Tool icon="down" label="Download" run={() => void save()} />
      </div>
      {find.isOpen ? <FindBar find={find} /> : null}
      <Log
        box={box}
        rows={rows}
        find={find}
        isFollowing={isFollowing}
        follow={setFollowing}
        isAtWork={!output.isComplete && !isOver}
        nearStart={() => {
          if (output.start > 0 && !output.isReadingEarlier) void output.loadEarlier();
        }}
        empty={emptyWord(output.state, isOver)}
      />
    </div>
  );
}

function Tool({ icon, label, run }: { icon: "search" | "copy" | "down"; label: string; run: () => void }) {
  return (
    <button type="button" className="btn sm ghost icon" aria-label={label} title={label} onClick={run}>
      <Icon name={icon} small />
    </button>
  );
}

function emptyWord(state: "loading" | "live" | "complete", isOver: boolean): string {
  if (state === "loading") return isOver ? "Reading the output…" : "";
  return state === "complete" ? "The agent wrote nothing." : "No output yet.";
}

function partOf(start: number, end: number, state: "loading" | "live" | "complete"): string {
  if (start === 0) return state === "loading" ? "" : sizeOf(end);
  return `the last ${sizeOf(end - start)} of ${sizeOf(end)}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
