/** What this machine can do beside starting agents: found out by trying, once, when somebody first asks. */
import type { Machine, MachineFacts } from "../../ports/runner";
import { describeTreeEnding } from "../host/cgroup";
import { sandboxProblem } from "../host/sandbox";

export function createMachine(): Machine {
  let found: Promise<MachineFacts> | null = null;
  return {
    facts() {
      found ??= lookAround();
      return found;
    },
  };
}

async function lookAround(): Promise<MachineFacts> {
  return { treeEnding: describeTreeEnding(), sandboxProblem: await sandboxProblem() };
}
