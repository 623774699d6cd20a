/**
 * What people say to a running agent, as files in its run folder (R12, R13): there in full or not at all, and an answer only
 * once, whoever was first. Whether anybody reads them is the driver's: the plain one speaks no protocol.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AgentOrder, Told } from "../../ports/runner";
import { readOrderRest } from "../host/order";
import { isErrorCode, ORDERS_FOLDER, writeRunFileOnce } from "../host/run-folder";
import { readLife } from "./probe-run";

/** So that names of messages are in the order of their times. */
const TIME_DIGITS = 16;

export async function dropOrder(folder: string, order: AgentOrder): Promise<Told> {
  if ((await readLife(folder)).kind !== "present") return "over";
  if ((await readOrderRest(folder))?.driver === "plain") return "cannot";
  try {
    return (await writeRunFileOnce(join(folder, ORDERS_FOLDER), nameOf(order), order)) ? "told" : "answered-before";
  } catch (error) {
    if (isErrorCode(error, "ENOENT")) return "over";
    throw error;
  }
}

function nameOf(order: AgentOrder): string {
  switch (order.kind) {
    case "message":
      return `message.${String(Date.now()).padStart(TIME_DIGITS, "0")}.${randomUUID()}.json`;
    case "answer":
      return `answer.${order.questionId}.json`;
    default:
      return order satisfies never;
  }
}
