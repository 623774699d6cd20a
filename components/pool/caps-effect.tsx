/** "If you save this": who starts, what runs and waits then, and that nobody is stopped. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "../ui/icon";
import { firstNameOf } from "../ui/person";
import type { CapsEffect, CapsWish } from "./effect";
import type { PoolReader } from "./wording";

/** How many sessions are named before the rest is counted. */
const NAMED_MAX = 4;

interface CapsEffectBoxProps {
  readonly effect: CapsEffect;
  readonly wish: CapsWish;
  readonly reader: PoolReader;
}

export function CapsEffectBox({ effect, wish, reader }: CapsEffectBoxProps) {
  const { running, queued } = reader.pool.global;
  return (
    <div className="effect">
      <h3>If you save this</h3>
      <ul>
        <Line icon="play">
          {effect.starts === 0 ? whyNothing(effect, wish, reader) : <Starting effect={effect} reader={reader} />}
        </Line>
        <Line icon="arrow">
          Running <b>{change(running, effect.running)}</b> of {wish.globalMax} · Waiting{" "}
          <b>{change(queued, effect.queued)}</b>
        </Line>
        {effect.peopleAbove === 0 ? null : (
          <Line icon="alert">
            {effect.peopleAbove === 1 ? "1 person runs" : `${effect.peopleAbove} people run`} more: nothing of theirs
            starts until they are below
          </Line>
        )}
        <Line icon="check">Nobody is stopped</Line>
      </ul>
    </div>
  );
}

function Line({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} small className="accent shrink-0" />
      <span>{children}</span>
    </li>
  );
}

/** `Starts at once: #15 Nora, #25 Mira, 1 elsewhere`; only how many where it depends on whose turn it is. */
function Starting({ effect, reader }: { effect: CapsEffect; reader: PoolReader }) {
  const named = effect.starting.slice(0, NAMED_MAX).flatMap((sessionId) => {
    const session = reader.pool.sessions[sessionId];
    const number = reader.numberOf(sessionId);
    return session === undefined || number === null ? [] : [{ sessionId, number, userId: session.userId }];
  });
  if (named.length === 0) {
    return effect.starts === 1 ? "1 waiting session starts at once" : `${effect.starts} waiting sessions start at once`;
  }
  const more = effect.starting.length - named.length;
  const elsewhere = effect.starts - effect.starting.length;
  return (
    <>
      Starts at once:{" "}
      {named.map(({ sessionId, number, userId }, place) => (
        <span key={sessionId}>
          {place === 0 ? "" : ", "}
          <b>#{number}</b> <bdi>{firstNameOf(reader.nameOf(userId))}</bdi>
        </span>
      ))}
      {more > 0 ? `, ${more} more` : ""}
      {elsewhere > 0 ? `, ${elsewhere} elsewhere` : ""}
    </>
  );
}

function whyNothing(effect: CapsEffect, wish: CapsWish, { pool }: PoolReader): string {
  if (pool.paused) return "Nothing starts until the pool is resumed";
  if (!pool.isReady) return "Nothing starts until the pool is ready";
  if (effect.isAboveGlobal) return `${effect.running} are running: nothing starts until it is below ${wish.globalMax}`;
  return effect.queued === 0 ? "Nobody waits" : "Nothing starts at once";
}

function change(from: number, to: number): string {
  return from === to ? String(from) : `${from} → ${to}`;
}
