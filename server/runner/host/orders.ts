/** Orders of the server, as files renamed into the run folder (R13): tells when there may be new ones, and reads them once. */
import { watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ORDERS_FOLDER, readRunFile } from "./run-folder";

/** A watched folder can stay silent on some file systems, so orders are looked for as well. */
const LOOK_MS = 1_000;

/** Returns the function that ends the watching. */
export function watchOrders(folder: string, look: () => Promise<void>): () => void {
  const timer = setInterval(() => void look(), LOOK_MS);
  try {
    const watcher = watch(join(folder, ORDERS_FOLDER), () => void look());
    watcher.on("error", () => watcher.close());
    return () => {
      clearInterval(timer);
      watcher.close();
    };
  } catch {
    return () => clearInterval(timer);
  }
}

export type PersonOrder =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "answer"; readonly questionId: string; readonly option: string };

const OF_PEOPLE = /^(message|answer)\..*\.json$/;

/** When a message was told; what comes behind it says which one it is. */
const TIME = /(?<=^message\.)\d+\./;

/** What people say to the agent, each order once, messages in the order of their times, and of those of one key the first. */
export function createOrderReader(folder: string): () => Promise<PersonOrder[]> {
  const seen = new Set<string>();
  const ordersFolder = join(folder, ORDERS_FOLDER);
  return async () => {
    const names = (await readdir(ordersFolder).catch(() => [])).filter((name) => OF_PEOPLE.test(name)).sort();
    const found: PersonOrder[] = [];
    for (const name of names) {
      const identity = name.replace(TIME, "");
      if (seen.has(identity)) continue;
      seen.add(identity);
      const order = await readOrder(join(ordersFolder, name));
      if (order) found.push(order);
    }
    return found;
  };
}

/** An order that says nothing is passed over: it must not stop those behind it. */
export async function readOrder(path: string): Promise<PersonOrder | null> {
  const reading = await readRunFile(path).catch(() => null);
  if (reading?.kind !== "read") return null;
  const { kind, text, questionId, option } = reading.fields;
  if (kind === "message" && typeof text === "string") return { kind, text };
  if (kind === "answer" && typeof questionId === "string" && typeof option === "string") {
    return { kind, questionId, option };
  }
  return null;
}
