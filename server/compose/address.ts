/** Where we listen: looked at before anything is started, so that a taken port is one sentence and not a half-started server. */
import net, { type Server } from "node:net";
import { networkInterfaces } from "node:os";
import type { Config } from "../config";
import { StartRefused } from "../ports/start-refused";

export async function probeAddress(config: Config): Promise<void> {
  if (config.port === 0) return;
  const probe = net.createServer();
  await listen(probe, config);
  await new Promise((closed) => probe.close(closed));
}

export async function listen(server: Server, { host, port }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(refusalFor(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  server.removeAllListeners("error");
}

/** What people type into their browser. */
export function addressFor(server: Server, config: Config): string {
  if (config.baseUrl) return config.baseUrl.origin;
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  return `http://${nameFor(config.host)}:${port}`;
}

function nameFor(host: string): string {
  if (host !== "0.0.0.0" && host !== "::") return net.isIPv6(host) ? `[${host}]` : host;
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "localhost";
}

function refusalFor(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartRefused(`Port ${port} on ${host} is taken by another program: stop it, or set another PORT.`);
    case "EACCES":
      return new StartRefused(`Port ${port} may not be used by this user: set a PORT from 1024.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new StartRefused(`HOST: "${host}" is not an address of this machine.`);
    default:
      return error;
  }
}
