/** Requests to an agent by JSON-RPC, and which answer belongs to which. Both protocols that use it number from their side. */
import { fieldsOf, type Json } from "../../../core/agent/json";
import type { Speaker } from "./talk";

export interface Requests {
  /** `answered` gets the result, or null when it was refused. */
  send(method: string, params: object, answered: (result: Json | null, error: Json) => void, id?: number): void;
  /** True: the message was an answer, and whoever waited for it has it. */
  take(message: Json): boolean;
}

/** `envelope`: what every message carries, for example the version. */
export function createRequests(speaker: Speaker, envelope: object): Requests {
  const waiting = new Map<unknown, (result: Json | null, error: Json) => void>();
  let count = 0;
  return {
    send(method, params, answered, id) {
      count += 1;
      const own = id ?? count;
      waiting.set(own, answered);
      speaker.send({ ...envelope, id: own, method, params });
    },
    take(message) {
      if (message.method !== undefined || message.id === undefined) return false;
      const answered = waiting.get(message.id);
      waiting.delete(message.id);
      answered?.(message.error === undefined ? fieldsOf(message.result) : null, fieldsOf(message.error));
      return true;
    },
  };
}
