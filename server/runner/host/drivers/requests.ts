/** Requests to an agent by JSON-RPC, and which answer belongs to which. Both protocols that use it number from their side. */
import { fieldsOf, type Json } from "../../../core/agent/json";
import type { Speaker } from "./talk";

export interface Requests {
  /** `answered` gets the result, or null when it was refused. */
  send(method: string, params: object, answered: (result: Json | null, error: Json) => void, id?: number): void;
  /** An answer to no request, or to one that has its answer. */
  isStray(message: Json): boolean;
  /** True: the message was an answer, and whoever waited for it has it. */
  take(message: Json): boolean;
}

/** `envelope`: what every message carries, for example the version. */
export function createRequests(speaker: Speaker, envelope: object): Requests {
  const waiting = new Map<unknown, (result: Json | null, error: Json) => void>();
  let count = 0;
  const isAnswer = ({ method, id }: Json) => method === undefined && id !== undefined;
  return {
    send(method, params, answered, id) {
      count += 1;
      const own = id ?? count;
      waiting.set(own, answered);
      speaker.send({ ...envelope, id: own, method, params });
    },
    isStray: (message) => isAnswer(message) && !waiting.has(ownId(message.id)),
    take(message) {
      if (!isAnswer(message)) return false;
      const own = ownId(message.id);
      const answered = waiting.get(own);
      waiting.delete(own);
      answered?.(message.error === undefined ? fieldsOf(message.result) : null, fieldsOf(message.error));
      return true;
    },
  };
}

/** Ours are numbers; some tell them back as text. */
function ownId(id: unknown): unknown {
  return typeof id === "string" && /^\d{1,9}$/.test(id) ? Number(id) : id;
}
