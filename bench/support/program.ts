/**
 * Runs one of `bench/programs` in a process of its own, so that neither its heap nor its event loop is shared with who
 * measures. What it prints last is its result.
 */
import { type SpawnOptionsWithStdioTuple, type StdioNull, type StdioPipe, spawn } from "node:child_process";
import path from "node:path";

const PRINTED_MAX_CHARS = 1_000_000;

export function runProgram<Result>(name: string, input: unknown, nodeArgs: readonly string[] = []): Promise<Result> {
  const program = path.join("bench", "programs", `${name}.ts`);
  return resultOf<Result>([...nodeArgs, "--import", "tsx", program, JSON.stringify(input)]);
}

/** Runs `node` with these arguments and reads the last line it prints. Throws with what it said when it fails. */
export function resultOf<Result>(args: readonly string[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    const options: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe> = {
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
    };
    const child = spawn(process.execPath, args, options);
    let printed = "";
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed = (printed + chunk).slice(-PRINTED_MAX_CHARS);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk).slice(-PRINTED_MAX_CHARS);
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(JSON.parse(printed.trimEnd().split("\n").at(-1) ?? "") as Result);
      else reject(new Error(`${args.join(" ").slice(0, 200)} ended with ${code ?? signal}: ${said.slice(-4_000)}`));
    });
  });
}

/** The one argument of a program. */
export function inputOf<Input>(): Input {
  return JSON.parse(process.argv[2] ?? "{}") as Input;
}

export function tell(result: unknown): void {
  console.log(JSON.stringify(result));
}
