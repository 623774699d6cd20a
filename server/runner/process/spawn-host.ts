/**
 * Starts a host so that it outlives us and knows nothing of us: in a session of its own, adopted by the system at once, with
 * the allow-listed environment and no open file. A small shell starts it in the background and leaves, so walking up the
 * parents from an agent does not lead to the server and its environment. It also closes what whoever started the server left
 * open: Node hands down files with high numbers that it was given itself.
 */
import { spawn } from "node:child_process";
import { access } from "node:fs/promises";
import { allowedEnvironment } from "../host/environment";

const START_AND_LEAVE = `
for path in /proc/self/fd/* /dev/fd/*; do
  number=\${path##*/}
  case $number in 0 | 1 | 2 | *[!0-9]*) ;; *) eval "exec $number>&-" ;; esac
done
exec "$@" </dev/null >/dev/null 2>&1 &
echo $!`;

/** The pid of the host. Throws when it cannot be spawned. */
export async function spawnHost(hostBundle: string, folder: string): Promise<number> {
  await access(hostBundle);
  const shell = spawn("bash", ["-c", START_AND_LEAVE, "bash", process.execPath, hostBundle, folder], {
    cwd: "/",
    env: allowedEnvironment(process.env) as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  let answer = "";
  shell.stdout.on("data", (bytes: Buffer) => {
    answer += bytes.toString();
  });
  await new Promise<void>((resolve, reject) => {
    shell.once("error", reject);
    shell.once("close", () => resolve());
  });
  const pid = Number(answer.trim());
  if (!Number.isInteger(pid) || pid < 2) throw new Error("The session host could not be started.");
  return pid;
}
