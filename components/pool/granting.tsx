"use client";
/** Whether the pool gives seats at the moment, why some are free, and for administrators the way to pause it (P16). */
import { useMutation } from "@tanstack/react-query";
import { api, sentenceOf } from "../api";
import { Icon } from "../ui/icon";
import { toast } from "../ui/toast";
import { type PoolReader, seatsSentence } from "./wording";

export function Granting({ reader }: { reader: PoolReader }) {
  const { paused, isReady } = reader.pool;
  const [icon, word] = paused
    ? (["pause", "Paused"] as const)
    : isReady
      ? (["check", "Granting"] as const)
      : (["dots", "Starting"] as const);
  return (
    <>
      <span className={`chip ${paused ? "attn" : ""}`} role="status">
        <Icon name={icon} small />
        {word}
      </span>
      <span className="dim">{seatsSentence(reader)}</span>
    </>
  );
}

export function PauseButton({ isPaused }: { isPaused: boolean }) {
  const change = useMutation(
    api.pool.change.mutationOptions({
      onError: (error) => toast({ icon: "alert", isBad: true, text: sentenceOf(error) }),
    }),
  );
  return (
    <button
      type="button"
      className="btn end"
      aria-disabled={change.isPending}
      onClick={() => change.isPending || change.mutate({ paused: !isPaused })}
    >
      <Icon name={isPaused ? "play" : "pause"} small />
      {isPaused ? "Resume the pool" : "Pause the pool"}
    </button>
  );
}
