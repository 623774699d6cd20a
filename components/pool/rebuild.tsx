"use client";
/** "Rebuild from rows" (P18): takes the picture before and after, and says whether they are the same. */
import { useMutation } from "@tanstack/react-query";
import { client, sentenceOf } from "../api";
import { differing } from "./same-picture";

export function Rebuild() {
  const rebuild = useMutation({
    mutationFn: async () => {
      const before = await client.pool.get();
      const after = await client.pool.rebuild();
      return { differing: differing(before, after), ...after.global };
    },
  });
  const { data, error, isPending } = rebuild;
  const counts = data === undefined ? "" : `${data.running} running, ${data.queued} waiting`;
  return (
    <>
      <span className="end cut" role="status">
        {error !== null ? sentenceOf(error) : data === undefined ? "" : `${verdict(data.differing)} · ${counts}`}
      </span>
      <button type="button" className="btn sm" aria-disabled={isPending} onClick={() => isPending || rebuild.mutate()}>
        Rebuild from rows
      </button>
    </>
  );
}

function verdict(count: number): string {
  if (count === 0) return "Rebuilt: the same picture";
  return `Rebuilt: ${count === 1 ? "1 session moved" : `${count} sessions moved`} meanwhile`;
}
