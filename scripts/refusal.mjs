/** What a script says, in one sentence, when a person has to do something first. Node built-ins only. */
export class Refusal extends Error {}

/** Runs a script's main function; a refusal is printed without a stack trace. */
export async function runScript(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
