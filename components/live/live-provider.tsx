"use client";
import type { AnyContractRouter } from "@orpc/contract";
/**
 * Gives the tab its query cache and its one live connection, and the pictures that came with the page their first place in
 * the cache. Everything live is read through the hooks here; nothing else touches the socket.
 */
import { QueryClient, QueryClientProvider, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { PoolPicture } from "@/server/contract/pool";
import type { Task } from "@/server/contract/tasks";
import { learnRoutes, theLink } from "../api";
import { type BoardPicture, boardOf } from "./board-state";
import { PageMoment } from "./clock";
import { LiveConnection } from "./connection";
import { type FirstPaint, seed } from "./first-paint";
import { liveKeys } from "./keys";
import type { ConnectionState } from "./standing";

interface Standing {
  readonly connection: LiveConnection | null;
  /** How it stands while there is no connection to ask. */
  readonly before: ConnectionState;
}
/** Pause before the socket's code is asked for again, in milliseconds. */
const AGAIN_MS = 1_000;
const CONNECTING: ConnectionState = { kind: "connecting" };
const Connection = createContext<Standing>({ connection: null, before: CONNECTING });

interface LiveProviderProps {
  readonly children: ReactNode;
  /** Whether somebody is signed in: only then there is anything to hear. */
  readonly isSignedIn: boolean;
  readonly first: FirstPaint | null;
  /** Paths and methods of the API (`app/routes.ts`). */
  readonly routes: AnyContractRouter;
  /** The server's time when the page was made. */
  readonly moment: number;
}

export function LiveProvider({ children, isSignedIn, first, routes, moment }: LiveProviderProps) {
  const [cache] = useState(() => {
    learnRoutes(routes);
    return newCache(first);
  });
  const [pageMoment] = useState(moment);
  const [standing, setStanding] = useState<Standing>({ connection: null, before: CONNECTING });

  useEffect(() => {
    theLink().catch(() => {
      // Without the network that would bring it; the first call fetches it again.
    });
  }, []);

  useEffect(() => {
    if (!isSignedIn) return;
    let made: LiveConnection | null = null;
    let again: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const begin = () => {
      import("./socket").then(
        ({ newSocket }) => {
          if (isOver) return;
          made = new LiveConnection(cache, newSocket());
          made.start();
          setStanding({ connection: made, before: CONNECTING });
        },
        () => {
          if (isOver) return;
          setStanding({ connection: null, before: { kind: "reconnecting", showing: pageMoment } });
          again = setTimeout(begin, AGAIN_MS);
        },
      );
    };
    begin();
    return () => {
      isOver = true;
      clearTimeout(again);
      made?.stop();
      setStanding({ connection: null, before: CONNECTING });
    };
  }, [cache, isSignedIn, pageMoment]);

  return (
    <PageMoment value={pageMoment}>
      <QueryClientProvider client={cache}>
        <Connection value={standing}>{children}</Connection>
      </QueryClientProvider>
    </PageMoment>
  );
}

function newCache(first: FirstPaint | null): QueryClient {
  const cache = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < 3 && !isRefused(error) },
      // What somebody presses without a network is refused and said, not kept back and done later.
      mutations: { networkMode: "always" },
    },
  });
  if (first !== null) seed(cache, first);
  return cache;
}

/** Asking again does not turn a no into a yes. */
function isRefused(error: unknown): boolean {
  return typeof error === "object" && error !== null && "status" in error && Number(error.status) < 500;
}

export function useConnection(): LiveConnection | null {
  return useContext(Connection).connection;
}

export function useConnectionState(): ConnectionState {
  const { connection, before } = useContext(Connection);
  return useSyncExternalStore(
    connection?.standing.subscribe ?? never,
    connection?.standing.current ?? (() => before),
    () => CONNECTING,
  );
}

function never(): () => void {
  return () => {};
}

/** The pool's picture; undefined until the first one is heard. */
export function usePool(): PoolPicture | undefined {
  return useQuery<PoolPicture>({ queryKey: liveKeys.pool, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity })
    .data;
}

/** The same for whoever needs it at a press and is not drawn again with every change. */
export function usePoolNow(): () => PoolPicture | undefined {
  const cache = useQueryClient();
  return () => cache.getQueryData<PoolPicture>(liveKeys.pool);
}

/** A project's cards, watched as long as somebody shows them; undefined until the first picture is heard. */
export function useBoard(projectId: string, first?: readonly Task[]): BoardPicture | undefined {
  const cache = useQueryClient();
  const connection = useConnection();
  useState(() => {
    const key = liveKeys.board(projectId);
    if (first !== undefined && cache.getQueryData(key) === undefined)
      cache.setQueryData(key, boardOf(projectId, first));
  });
  useEffect(() => connection?.watchBoard(projectId), [connection, projectId]);
  const key = liveKeys.board(projectId);
  return useQuery<BoardPicture>({ queryKey: key, queryFn: skipToken, staleTime: Infinity }).data;
}
