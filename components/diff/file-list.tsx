"use client";
/** The changed files by name, to jump to; of many, those that a few letters find. */
import { useId, useState } from "react";
import type { DiffFile } from "@/server/contract/tasks";
import { titleOf } from "./facts";
import { Counts } from "./file-diff";

/** Names that are listed at once. */
const LISTED_MAX = 200;
/** From so many on one can search among them. */
const SEARCHED_FROM = 15;

interface FileListProps {
  readonly files: readonly DiffFile[];
  /** To the file at this place among all. */
  readonly jump: (place: number) => void;
}

export function FileList({ files, jump }: FileListProps) {
  const [sought, setSought] = useState("");
  const id = useId();
  const letters = sought.trim().toLowerCase();
  const found = files.flatMap((file, place) =>
    letters === "" || titleOf(file).toLowerCase().includes(letters) ? [{ file, place }] : [],
  );
  return (
    <nav className="file-list" aria-label="Changed files">
      {files.length < SEARCHED_FROM ? null : (
        <span className="field">
          <label className="sr" htmlFor={id}>
            Find a file
          </label>
          <input
            id={id}
            type="search"
            placeholder="Find a file"
            value={sought}
            onChange={(event) => setSought(event.target.value)}
          />
        </span>
      )}
      <ul>
        {found.slice(0, LISTED_MAX).map(({ file, place }) => (
          <li key={place}>
            <button type="button" onClick={() => jump(place)}>
              <bdi className="mono diff-name">{titleOf(file)}</bdi>
              <Counts file={file} />
            </button>
          </li>
        ))}
      </ul>
      {found.length <= LISTED_MAX ? null : <p className="hint">{found.length - LISTED_MAX} more</p>}
      {found.length === 0 ? <p className="hint">No file is named like that.</p> : null}
    </nav>
  );
}
