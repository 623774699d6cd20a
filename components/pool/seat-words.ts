/** Who sits on a chair and what they do, in words: at the table in the header and at the round one. Pure. */
import type { PoolPicture } from "@/server/contract/pool";
import { clock, secondsBetween } from "../ui/time";
import { inSentence } from "../ui/written";
import type { PoolReader } from "./wording";

/** More chairs than this are one bar by person. */
export const CHAIRS_MAX = 60;

/** While more run than the cap allows (after a restart, P4), everybody who runs still has a chair. */
export function chairsAt({ seats, global }: PoolPicture): number {
  return Math.max(global.max, ...Object.keys(seats).map((seat) => Number(seat) + 1), 0);
}

/** `Nora Feld (you), #12, running 14:32`; of other boards their name, of foreign projects only who it is (L4). */
export function sitting(seat: number, reader: PoolReader, nameOfProject: (id: string) => string): string {
  const sitter = reader.pool.seats[seat];
  if (sitter === undefined) return "free";
  const name = inSentence(reader.nameOf(sitter.userId)) + (sitter.userId === reader.meId ? " (you)" : "");
  const found = Object.entries(reader.pool.sessions).find(([, session]) => session.seat === seat);
  if (found === undefined) return `${name}, another project, ${sitter.isStarting ? "starting" : "running"}`;
  const [id, session] = found;
  const number = reader.numberOf(id);
  return `${name}, ${number === null ? inSentence(nameOfProject(session.projectId)) : `#${number}`}, ${doing(session, reader.pool)}`;
}

function doing(session: PoolPicture["sessions"][string], pool: PoolPicture): string {
  if (session.phase === "starting" || session.phase === null) return "starting";
  if (session.phase === "asking") return "needs an answer";
  if (session.phase === "stopping") return "stopping";
  return `running ${clock(secondsBetween(session.startedAt ?? session.queuedAt, Date.parse(pool.at)))}`;
}

/** `Nora Feld 2, Mira Okafor 1`: how many run, by person; empty when nothing does. */
export function takenBy({ pool, nameOf }: PoolReader): string {
  const busy = Object.entries(pool.users).filter(([, counts]) => counts.running > 0);
  return busy.map(([id, { running }]) => `${inSentence(nameOf(id))} ${running}`).join(", ");
}
