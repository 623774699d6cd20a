/** The whole server in a process of its own on its own embedded PostgreSQL, with a folder that goes with it. */
import { bundleServer, ServerProcess, temporaryDataDir } from "../../server/testing/server-process";
import { onLeaving } from "./leaving";

export interface BenchServer {
  readonly url: string;
  readonly pid: number;
  close(): Promise<void>;
}

export async function startServer(environment: Record<string, string> = {}): Promise<BenchServer> {
  const bundle = await bundleServer();
  const dataDir = temporaryDataDir();
  const server = new ServerProcess(bundle, {
    CAMELOT_DATA_DIR: dataDir.path,
    PORT: "0",
    CAMELOT_TEST_RELAXED_LIMITS: "1",
    ...environment,
  });
  const close = onLeaving(async () => {
    await server.end();
    dataDir.remove();
    bundle.remove();
  });
  try {
    const url = await server.served();
    return { url, pid: server.child.pid ?? 0, close };
  } catch (error) {
    await close();
    throw error;
  }
}
