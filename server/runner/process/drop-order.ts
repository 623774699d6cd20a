/**
 * What people say to a running agent, as files in its run folder (R12, R13): there in full or not at all, and an answer only
 * once, whoever was first. Whether anybody reads them is the driver's: the plain one speaks no protocol.
 */
import { createHash, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentOrder, Told } from "../../ports/runner";
import { readOrderRest } from "../host/order";
import { readOrder } from "../host/orders";
import { isErrorCode, ORDERS_FOLDER, writeRunFileOnce } from "../host/run-folder";
import { readLife } from "./probe-run";

/** So that names of messages are in the order of their times. */
const TIME_DIGITS = 16;

export async function dropOrder(folder: string, order: AgentOrder): Promise<Told> {
  if ((await readLife(folder)).kind !== "present") return "over";
  if ((await readOrderRest(folder))?.driver === "plain") return "cannot";
  try {
    const before = await messageLike(folder, order);
    if (before !== null) return before;
    const isWritten = await writeRunFileOnce(join(folder, ORDERS_FOLDER), nameOf(order), order);
    return isWritten ? "told" : ((await messageLike(folder, order)) ?? "answered-before");
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return "over";
    throw error;
  }
}

function nameOf(order: AgentOrder): string {
  switch (order.kind) {
    case "message":
      return `message.${String(Date.now()).padStart(TIME_DIGITS, "0")}.${endOf(order.key)}`;
    case "answer":
      return `answer.${order.questionId}.json`;
    default:
      return order satisfies never;
  }
}

/** What was told before with the same key; null: nothing. Two at once may both find nothing: then the host reads one (orders.ts). */
async function messageLike(folder: string, order: AgentOrder): Promise<Told | null> {
  if (order.kind !== "message" || order.key === undefined) return null;
  const end = endOf(order.key);
  const name = (await readdir(join(folder, ORDERS_FOLDER))).find((name) => name.endsWith(`.${end}`));
  if (name === undefined) return null;
  const told = await readOrder(join(folder, ORDERS_FOLDER, name));
  return told?.kind === "message" && told.text === order.text ? "told" : "key-reused";
}

/** Of a message's name: what it has in common with those of the same key. */
function endOf(key: string | undefined): string {
  return `${key === undefined ? randomUUID() : createHash("sha256").update(key).digest("hex")}.json`;
}
