/** Details of failures that are written in one place and known again in another: what to do next depends on them. */

export const DISK_FULL = "The disk is full, so the agent was stopped.";

const SETUP_SCRIPT = "The setup script ";

/** `how`: of the script's end, as in "failed with exit code 1". */
export function setupFailure(how: string): string {
  return `${SETUP_SCRIPT}${how}.`;
}

export function isSetupFailure(detail: string | null): boolean {
  return detail?.startsWith(SETUP_SCRIPT) ?? false;
}
