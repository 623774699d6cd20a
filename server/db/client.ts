/**
 * The connections to the database, each for one purpose: pages and API share a few, the pool's writer and the lease have
 * one each that nobody else can use up (P19), and the pool reads over connections of its own. Their lifetime is unlimited:
 * a writer's connection is not recycled under its hands.
 */
import postgres from "postgres";

export type Sql = postgres.Sql;

const APP_CONNECTIONS = 10;
const CONNECT_TIMEOUT_S = 5;
const APP_STATEMENT_TIMEOUT_MS = 15_000;
const WRITER_STATEMENT_TIMEOUT_MS = 5_000;
/** A row that somebody else keeps locked must not stop the line of everybody. */
const WRITER_LOCK_TIMEOUT_MS = 1_000;
const LEASE_STATEMENT_TIMEOUT_MS = 4_000;
const ASIDE_STATEMENT_TIMEOUT_MS = 3_000;
const READER_STATEMENT_TIMEOUT_MS = 60_000;
const LINK_STATEMENT_TIMEOUT_MS = 30_000;

/** For everything but the pool. */
export function appClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: APP_CONNECTIONS,
    connection: { application_name: "camelot", statement_timeout: APP_STATEMENT_TIMEOUT_MS },
  });
}

/**
 * One connection for the one statement of the pool. Its plan is made once and kept, so it must not be one that reads whole
 * tables because they were small on that day.
 */
export function writerClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: 1,
    fetch_types: false,
    connection: {
      application_name: "camelot writer",
      statement_timeout: WRITER_STATEMENT_TIMEOUT_MS,
      lock_timeout: WRITER_LOCK_TIMEOUT_MS,
      enable_seqscan: "off",
      enable_hashjoin: "off",
      enable_mergejoin: "off",
      jit: "off",
    },
  });
}

export function leaseClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: 1,
    fetch_types: false,
    connection: { application_name: "camelot lease", statement_timeout: LEASE_STATEMENT_TIMEOUT_MS },
  });
}

/** Reads what the pool's memory is made from; a million rows may take a while. */
export function poolReaderClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: 2,
    fetch_types: false,
    idle_timeout: 30,
    connection: { application_name: "camelot pool reader", statement_timeout: READER_STATEMENT_TIMEOUT_MS, jit: "off" },
  });
}

/** Dispatches beside the writer, and looking for them: what takes too long is ended, not left to surprise somebody later. */
export function asideClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: 2,
    fetch_types: false,
    idle_timeout: 30,
    connection: {
      application_name: "camelot aside",
      statement_timeout: ASIDE_STATEMENT_TIMEOUT_MS,
      lock_timeout: WRITER_LOCK_TIMEOUT_MS,
    },
  });
}

/** What servers ask of each other and tell each other (P19). */
export function linkClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: 3,
    fetch_types: false,
    connection: {
      application_name: "camelot link",
      statement_timeout: LINK_STATEMENT_TIMEOUT_MS,
      lock_timeout: WRITER_LOCK_TIMEOUT_MS,
      jit: "off",
    },
  });
}

/** Hears words of other servers and does nothing else. */
export function earClient(url: string): Sql {
  return postgres(url, { ...COMMON, max: 1, fetch_types: false, connection: { application_name: "camelot ear" } });
}

export function mouthClient(url: string): Sql {
  return postgres(url, {
    ...COMMON,
    max: 1,
    fetch_types: false,
    connection: { application_name: "camelot mouth", statement_timeout: ASIDE_STATEMENT_TIMEOUT_MS },
  });
}

const COMMON = {
  connect_timeout: CONNECT_TIMEOUT_S,
  max_lifetime: null,
  // Tried again quickly: whoever waits decides for how long.
  backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
  onnotice: () => {},
} as const;
