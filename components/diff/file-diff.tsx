"use client";
/** One changed file: its name, what happened to it, and its patch when it is unfolded. Signs stand beside the grounds. */
import { useMemo, useState } from "react";
import type { DiffFile } from "@/server/contract/tasks";
import { Icon } from "../ui/icon";
import { type PatchLine, readPatch, shownName } from "./patch";

/** Lines that are drawn before one asks for all of them. */
const LINES_SHOWN_MAX = 1_500;

export function FileDiff({ file, startsOpen }: { file: DiffFile; startsOpen: boolean }) {
  const [isOpen, setOpen] = useState(startsOpen);
  const patch = useMemo(() => (file.patch === null ? null : readPatch(file.patch)), [file.patch]);
  const canOpen = patch !== null && patch.lines.length > 0;
  const name = file.oldPath === null ? shownName(file.path) : `${shownName(file.oldPath)} → ${shownName(file.path)}`;
  const inside = (
    <>
      {canOpen ? <Icon name={isOpen ? "chev" : "right"} small /> : <Icon name="file" small />}
      <bdi className="mono diff-name">{name}</bdi>
      {remarksOf(file, patch?.mode ?? null).map((remark) => (
        <span key={remark} className="chip">
          {remark}
        </span>
      ))}
      <span className="end diff-counts">
        {file.isBinary ? null : (
          <>
            <span className="add">+{file.additions}</span> <span className="del">−{file.deletions}</span>
          </>
        )}
      </span>
      <Share added={file.additions} removed={file.deletions} />
    </>
  );
  return (
    <section className="diff" aria-label={name}>
      {canOpen ? (
        <button type="button" className="diff-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {inside}
        </button>
      ) : (
        <div className="diff-head">{inside}</div>
      )}
      {canOpen && isOpen ? <Lines lines={patch.lines} /> : null}
    </section>
  );
}

function remarksOf(file: DiffFile, mode: string | null): string[] {
  const remarks: string[] = [];
  if (file.status !== "modified" && file.status !== "mode-changed") remarks.push(file.status);
  if (mode !== null) remarks.push(`mode ${mode}`);
  if (file.isBinary) remarks.push("binary");
  if (file.isCut) remarks.push("too long to be shown");
  return remarks;
}

/** Five little squares: how much was added, how much removed. The figures beside them say it in words. */
function Share({ added, removed }: { added: number; removed: number }) {
  const all = added + removed;
  const green = all === 0 ? 0 : Math.round((added / all) * 5);
  return (
    <span className="pm" aria-hidden="true">
      {[0, 1, 2, 3, 4].map((place) => (
        <i key={place} className={all === 0 ? "" : place < green ? "p" : "m"} />
      ))}
    </span>
  );
}

function Lines({ lines }: { lines: readonly PatchLine[] }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? lines : lines.slice(0, LINES_SHOWN_MAX);
  return (
    <>
      <table>
        <colgroup>
          <col className="ln" />
          <col className="ln" />
          <col className="sg" />
          <col />
        </colgroup>
        <tbody>
          {shown.map((line, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a patch never change
            <LineRow key={place} line={line} />
          ))}
        </tbody>
      </table>
      {shown.length < lines.length ? (
        <button type="button" className="more" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      ) : null}
    </>
  );
}

const SIGNS = { same: "", added: "+", removed: "−" } as const;
const GROUNDS = { same: "", added: "p", removed: "m" } as const;

function LineRow({ line }: { line: PatchLine }) {
  if (line.kind === "head" || line.kind === "remark") {
    return (
      <tr className={line.kind === "head" ? "h" : "r"}>
        <td colSpan={4}>
          {line.kind === "head" ? "@@ " : ""}
          {line.text}
        </td>
      </tr>
    );
  }
  return (
    <tr className={GROUNDS[line.kind]}>
      <td className="ln">{line.old}</td>
      <td className="ln">{line.new}</td>
      <td className="sg">{SIGNS[line.kind]}</td>
      <td className="tx">
        <Words line={line} />
      </td>
    </tr>
  );
}

function Words({ line: { text, changed } }: { line: Extract<PatchLine, { changed: unknown }> }) {
  if (changed === null || changed[0] === changed[1]) return text;
  return (
    <>
      {text.slice(0, changed[0])}
      <mark>{text.slice(changed[0], changed[1])}</mark>
      {text.slice(changed[1])}
    </>
  );
}
