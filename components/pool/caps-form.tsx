"use client";
/** The caps as an administrator changes them: all at once, with what it would do before it is saved (P4, P7). */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { client, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { CapRow } from "./cap-row";
import {
  type CapsDraft,
  capsOf,
  EMPTY_CAPS_DRAFT,
  exceptionsIn,
  isEmptyDraft,
  wishOf,
  withoutSame,
} from "./caps-draft";
import { CapsEffectBox } from "./caps-effect";
import { type CapsWish, effectOf } from "./effect";
import { AddException } from "./exception";
import type { PoolReader } from "./wording";

export function CapsForm({ reader }: { reader: PoolReader }) {
  const { pool, nameOf } = reader;
  const caps = capsOf(pool);
  const [draft, setDraft] = useState(EMPTY_CAPS_DRAFT);
  const [hasMore, setHasMore] = useState(false);
  useEffect(() => setDraft((typed) => withoutSame(typed, capsOf(pool))), [pool]);
  const save = useMutation({
    mutationFn: (wish: CapsWish) => saveCaps(wish, draft),
    onSuccess: () => toast({ icon: "check", text: "Saved" }),
  });
  const changes = withoutSame(draft, caps);
  const isChanged = !isEmptyDraft(changes);
  const wish = wishOf(draft, caps);
  const exceptions = exceptionsIn(draft, caps);
  const limit = (userId: string, text: string | null) => {
    const limits = { ...draft.limits, [userId]: text };
    // Somebody who was only added here is simply gone again.
    if (text === null && caps.limits[userId] === undefined) delete limits[userId];
    setDraft({ ...draft, limits });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wish !== null && isChanged && !save.isPending) save.mutate(wish);
  };
  const discard = () => {
    setDraft(EMPTY_CAPS_DRAFT);
    setHasMore(false);
    save.reset();
  };
  return (
    <form className="panel caps" aria-labelledby="pool-Caps" onSubmit={submit} noValidate>
      <div className="panel-head">
        <h2 id="pool-Caps">Caps</h2>
        {isChanged ? <span className="chip end">not saved yet</span> : null}
      </div>
      <div className="caps-body">
        <CapRow
          label="Seats in all"
          text={draft.globalMax ?? String(caps.globalMax)}
          was={changes.globalMax === null ? null : caps.globalMax}
          change={(globalMax) => setDraft({ ...draft, globalMax })}
        />
        <CapRow
          label="Seats per person"
          text={draft.perUserMax ?? String(caps.perUserMax)}
          was={changes.perUserMax === null ? null : caps.perUserMax}
          change={(perUserMax) => setDraft({ ...draft, perUserMax })}
        />
        <h3 className="caps-sub">Exceptions</h3>
        {exceptions.map(([userId, text]) => (
          <CapRow
            key={userId}
            label={nameOf(userId)}
            userId={userId}
            text={text}
            was={changes.limits[userId] === undefined ? null : (caps.limits[userId] ?? null)}
            change={(max) => limit(userId, max)}
            remove={() => limit(userId, null)}
          />
        ))}
        <AddException
          isOpen={hasMore}
          open={setHasMore}
          has={new Set(exceptions.map(([userId]) => userId))}
          add={(userId) => limit(userId, String(caps.perUserMax))}
        />
        <div role="status">
          {isChanged && wish !== null ? (
            <CapsEffectBox effect={effectOf(pool, wish)} wish={wish} reader={reader} />
          ) : null}
        </div>
        <FormMistake>{save.error === null ? null : sentenceOf(save.error)}</FormMistake>
      </div>
      <div className="panel-foot">
        <button type="button" className="btn ghost" disabled={!isChanged} onClick={discard}>
          Discard
        </button>
        <button type="submit" className="btn ink end" disabled={!isChanged || wish === null || save.isPending}>
          Save caps
        </button>
      </div>
    </form>
  );
}

/** Only what was changed is sent, so what somebody else changed meanwhile stands. What fails stays typed. */
async function saveCaps(wish: CapsWish, draft: CapsDraft): Promise<void> {
  if (draft.globalMax !== null || draft.perUserMax !== null) {
    await client.pool.change({
      ...(draft.globalMax === null ? {} : { globalMax: wish.globalMax }),
      ...(draft.perUserMax === null ? {} : { perUserMax: wish.perUserMax }),
    });
  }
  for (const id of Object.keys(draft.limits)) await client.pool.setUser({ id, max: wish.limits[id] ?? null });
}
