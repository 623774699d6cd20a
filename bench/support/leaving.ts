/** What has to be ended when the bench is left in the middle: databases and servers outlive whoever started them. */
const steps = new Set<() => Promise<void>>();

/** Answers the same step, which from now on is also taken when the bench is interrupted; taken once. */
export function onLeaving(step: () => Promise<void>): () => Promise<void> {
  const once = async () => {
    if (steps.delete(once)) await step();
  };
  steps.add(once);
  return once;
}

/** Takes all steps that are left, the newest first. */
export async function leave(): Promise<void> {
  for (const step of [...steps].reverse()) await step().catch((error) => console.error(error));
}
