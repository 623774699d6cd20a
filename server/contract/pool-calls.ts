/** `/pool`: the picture, one line and the health for everybody signed in, the settings for administrators. */
import { z } from "zod";
import { ADMIN, byId, call } from "./call";
import { id } from "./common";
import { caps, capsChange, pool, poolHealth, userCap, userLine } from "./pool";
import { poolHistory, poolHistoryWish } from "./pool-history";

export const poolCalls = {
  get: call.route({ method: "GET", path: "/pool", summary: "The pool's picture" }).output(pool),
  health: call
    .route({ method: "GET", path: "/pool/health", summary: "How the pool is doing, in numbers" })
    .output(poolHealth),
  history: call
    .route({ method: "GET", path: "/pool/history", summary: "Seats, waits and endings over time, for charts" })
    .input(poolHistoryWish)
    .output(poolHistory),
  line: call
    .route({ method: "GET", path: "/pool/users/{id}", summary: "One person's line, as far as one may see it" })
    .input(byId)
    .output(userLine),
  settings: call.route({ method: "GET", path: "/pool/settings", summary: "Caps and pause" }).output(caps),
  change: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({ method: "PATCH", path: "/pool" })
    .input(capsChange)
    .output(caps),
  setUser: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({ method: "PUT", path: "/pool/users/{id}", summary: "A user's own cap; null = the general one" })
    .input(byId.extend(userCap.shape))
    .output(z.object({ userId: id, max: z.number().int() })),
  rebuild: call
    .meta({ need: ADMIN, scope: "admin" })
    .route({ method: "POST", path: "/pool/rebuild", summary: "Rebuild from rows" })
    .output(pool),
};
