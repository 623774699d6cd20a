/**
 * What `npm run stop-agents` runs: ends the agents of this data directory that go on without a server. A composition root
 * of its own, so it sees what main.ts sees; it needs no database.
 */
import { existsSync } from "node:fs";
import { readConfig } from "./config";
import { START_REFUSED_EXIT_CODE } from "./ports/start-refused";
import { endedSentence, stopAllAgents } from "./runner/process/stop-all";

process.exitCode = await stopAgents();

async function stopAgents(): Promise<number> {
  const reading = readConfig(process.env, process.cwd());
  if (reading.kind === "mistakes") {
    for (const mistake of reading.mistakes) console.error(mistake);
    return START_REFUSED_EXIT_CODE;
  }
  const { dataDir } = reading.config;
  if (!existsSync(dataDir)) {
    console.log(`There is no data directory ${dataDir}, so no agent runs.`);
    return 0;
  }
  const { stopped, left } = await stopAllAgents(dataDir);
  console.log(endedSentence(stopped));
  for (const { sessionId, attempt } of left)
    console.error(`Session ${sessionId} (attempt ${attempt}) could not be ended.`);
  return left.length > 0 ? 1 : 0;
}
