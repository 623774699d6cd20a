/**
 * What a page brings along, so that the first picture is there without asking. Plain answers go where the client's own
 * questions would put them; the pool's picture is only taken while nothing newer is held.
 */
import type { QueryClient } from "@tanstack/react-query";
import type { Me, Person } from "@/server/contract/people";
import type { PoolPicture } from "@/server/contract/pool";
import type { Project } from "@/server/contract/projects";
import { api } from "../api";
import { heardServerTime } from "./clock";
import { liveKeys } from "./keys";
import { isOlder } from "./pool-state";

export interface FirstPaint {
  readonly me: Me;
  readonly pool: PoolPicture;
  readonly projects: readonly Project[];
  /** Everybody, so that names are there at once; absent where they are many. */
  readonly people?: readonly Person[] | null;
}

export function seed(cache: QueryClient, first: FirstPaint): void {
  cache.setQueryData(api.me.get.queryKey(), first.me);
  cache.setQueryData(api.projects.list.queryKey({ input: {} }), { items: [...first.projects], next: null });
  if (first.people) cache.setQueryData(api.users.list.key(), first.people);
  seedPool(cache, first.pool);
}

function seedPool(cache: QueryClient, picture: PoolPicture): void {
  if (typeof document !== "undefined") heardServerTime(Date.parse(picture.at));
  if (!isOlder(picture, cache.getQueryData<PoolPicture>(liveKeys.pool))) cache.setQueryData(liveKeys.pool, picture);
}
