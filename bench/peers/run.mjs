/** One load on one queue, in a process of its own: `node run.mjs <engine> <steady|burst> <JSON>`; the result is its last line. */
import { burstLoad, steadyLoad } from "./load.mjs";

const [engine, load, json = "{}"] = process.argv.slice(2);
const { options, size } = JSON.parse(json);
const { open } = await import(`./${engine}.mjs`);
const result = await (load === "burst" ? burstLoad : steadyLoad)((work) => open(options, work), size);
console.log(JSON.stringify(result));
process.exit(0);
