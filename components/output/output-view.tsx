"use client";
/**
 * One session's output as a readable text, live (B7). Give it `key={session.id}`. The tools stand in a row above: follow,
 * search, copy, download. Who watches it run is told of its end when the last byte is on the screen.
 */
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from "react";
import type { Session } from "@/server/contract/sessions";
import { sentenceOf } from "../api";
import type { OutputWindow } from "../live/output-log";
import { useOutput } from "../live/use-output";
import { Icon } from "../ui/icon";
import { sizeOf } from "../ui/size";
import { toast } from "../ui/toast";
import { textOfLines } from "./ansi";
import { emptyWord } from "./empty-word";
import { FindBar } from "./find-bar";
import { Log } from "./log";
import { keyOfRow, OutputRows, textOfRow } from "./output-rows";
import { saveOutput } from "./save-output";
import { Follow, Tool } from "./tools";
import { useFind } from "./use-find";
import { useKeptSearch } from "./use-kept-search";

interface OutputViewProps {
  readonly session: Session;
  /** Of the task; for the file's name. */
  readonly number: number;
  /** How it ended; stands above. */
  readonly outcome: ReactNode;
}

export function OutputView({ session, number, outcome }: OutputViewProps) {
  const [isFollowing, setFollowing] = useState(true);
  const output = useOutput(session.id, isFollowing);
  const [reader] = useState(() => new OutputRows());
  // However fast an agent writes, a click goes before reading it.
  const shown = useDeferredValue(output.window);
  const rows = useMemo(() => reader.of(shown.pieces), [reader, shown.pieces]);
  const box = useRef<HTMLDivElement>(null);
  const find = useFind(rows, SEARCHED);
  const beyond = useKeptSearch(output, find, () => setFollowing(false));
  const isOver = session.status !== "queued" && session.status !== "running";
  const isWhole = shown.isComplete;
  // Who saw it run sees its last line before they are told that it is over; who comes later is told at once.
  const [wasOver] = useState(isOver);

  const loadEarlier = () => void output.loadEarlier().catch(tellOfFailure);
  const goUp = (load: () => Promise<void>) => {
    setFollowing(false);
    box.current?.scrollTo({ top: 0 });
    void load().catch(tellOfFailure);
  };
  // What goes with a press leaves the keyboard in the output.
  const enterLog = () => box.current?.focus({ preventScroll: true });
  const copy = async () => {
    const text = textOfLines(rows.map(({ line }) => line));
    await navigator.clipboard?.writeText(text);
    toast({
      icon: "copy",
      text: shown.start === 0 && !output.hasLater ? "Output copied" : "The shown part of the output copied",
    });
  };
  const save = () => saveOutput(session.id, `task-${number}-output.txt`).catch(tellOfFailure);

  return (
    <>
      {isWhole || !isFollowing || wasOver ? outcome : null}
      <div className="out">
        <div className="out-tools">
          <span className="faint cut">{partOf(shown, output.hasLater)}</span>
          {shown.start > 0 ? (
            <>
              <button
                type="button"
                className="btn sm out-earlier"
                aria-label="Load earlier output"
                disabled={output.isReadingEarlier}
                onClick={() => goUp(output.loadEarlier)}
              >
                <Icon name="up" small />
                Load
              </button>
              <Tool
                icon="top"
                label="Go to the beginning"
                run={() => {
                  enterLog();
                  goUp(output.loadBeginning);
                }}
              />
            </>
          ) : null}
          <Follow isFollowing={isFollowing} follow={setFollowing} />
          <Tool icon="search" label="Search output" run={find.open} />
          <Tool icon="copy" label="Copy all" run={() => void copy()} />
          <Tool icon="down" label="Download" run={() => void save()} />
        </div>
        {find.isOpen ? <FindBar find={find} beyond={beyond} closed={enterLog} /> : null}
        <Log
          box={box}
          rows={rows}
          find={find}
          isFollowing={isFollowing}
          follow={setFollowing}
          isAtWork={!isWhole && !isOver}
          nearStart={() => {
            if (shown.start > 0 && !output.isReadingEarlier) loadEarlier();
          }}
          later={output.hasLater ? output.loadLater : null}
          empty={emptyWord(isWhole, output.isKnown, isOver)}
        />
      </div>
    </>
  );
}

function tellOfFailure(error: unknown): void {
  toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
}

const SEARCHED = { textOf: textOfRow, keyOf: keyOfRow };

function partOf({ start, end }: OutputWindow, hasLater: boolean): string {
  if (start > 0) return `${sizeOf(start)} earlier`;
  return end === 0 ? "" : `${hasLater ? "The first " : ""}${sizeOf(end)}`;
}
