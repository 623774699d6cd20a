"use client";
/** A command for the machine that runs agents, ready to be copied. It is never run from here. */
import { copyText } from "../task/copy";
import { Icon } from "../ui/icon";

export function InstallCommand({ command }: { command: string }) {
  return (
    <span className="mt-1 flex items-center gap-2">
      <code className="mono min-w-0 [overflow-wrap:anywhere]">{command}</code>
      <button
        type="button"
        className="btn sm ghost icon"
        aria-label={`Copy “${command}”`}
        onClick={() => copyText(command, "copy", "Command copied")}
      >
        <Icon name="copy" small />
      </button>
    </span>
  );
}
