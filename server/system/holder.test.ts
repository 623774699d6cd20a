import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { waitFor } from "../testing/wait-for";
import { holderOf, isProvablyDead, lifeOf, selfAsHolder } from "./holder";

test("[R4][P19] a holder lives, is over, or cannot be judged; it is never taken for dead by its bare pid", async () => {
  const self = selfAsHolder();
  expect(selfAsHolder()).not.toBe(self);
  expect(lifeOf(self)).toBe("alive");
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  const holder = holderOf(pid);
  expect(lifeOf(holder)).toBe("alive");
  const [place = "", , start = ""] = holder.split(" ");
  // Its pid belongs to somebody else by now.
  expect(lifeOf(`${place} ${pid} 1`)).toBe("over");
  const [system, boot, here] = place.split("|");
  expect(lifeOf(`${system}|of-an-earlier-boot|${here} ${pid} ${start}`)).toBe("other-boot");
  expect(lifeOf(`${system}|${boot}|of-another-container ${pid} ${start}`)).toBe("other-namespace");
  child.kill("SIGKILL");
  await waitFor(() => lifeOf(holder) === "over", "the child to be over");
});

test("[R4][P19] what is no holder's line, or was written without a start, is unknown and proves nothing", () => {
  const [place] = selfAsHolder().split(" ");
  for (const line of [
    "",
    "nonsense",
    "12345 of-an-earlier-boot",
    `${place} 0 1`,
    `${place} x 1`,
    `${place} ${process.pid} ?`,
  ]) {
    expect(lifeOf(line), line).toBe("unknown");
    expect(isProvablyDead(line)).toBe(false);
  }
});
