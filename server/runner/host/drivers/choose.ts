/** The driver an order names. Nothing is started here, so this may happen before the claim. */
import { isSignOfLife } from "../../../core/agent/sign-of-life";
import type { HostOrder } from "../order";
import type { Recorder } from "../recorder";
import { acpProtocol } from "./acp";
import { claudeProtocol } from "./claude";
import { codexProtocol } from "./codex";
import type { Driver } from "./driver";
import { preparePlain } from "./plain";
import { createTalkDriver, type Protocol, type Speaker } from "./talk";

export async function prepareAgent(folder: string, order: HostOrder, recorder: Recorder): Promise<Driver> {
  const protocol = protocolOf(order);
  if (protocol === null) return preparePlain(folder, order.command);
  const { argv, stdin, talk } = order.command;
  const { handshakeMs: upWithinMs, backgroundMs: quietWithinMs } = order.limits;
  return createTalkDriver({
    folder,
    argv,
    prompt: stdin ?? "",
    secrets: order.secrets,
    recorder,
    upWithinMs,
    quietWithinMs,
    isSignOfLife: (message) => isSignOfLife(talk?.driver ?? "text", message),
    protocol,
  });
}

function protocolOf({ command, cwd }: HostOrder): ((speaker: Speaker) => Protocol) | null {
  const { talk } = command;
  switch (talk?.driver) {
    case undefined:
      return null;
    case "claude":
      return (speaker) => claudeProtocol(speaker, talk);
    case "codex":
      return (speaker) => codexProtocol(speaker, talk, cwd);
    case "acp":
      return (speaker) => acpProtocol(speaker, talk, cwd);
    default:
      return talk satisfies never;
  }
}
