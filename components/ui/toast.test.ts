import { expect, test } from "vitest";
import { drawToasts, type Toast, toast } from "./toast";

test("[B13] news that comes before what draws it, or while that is gone, waits for it", () => {
  const seen: string[] = [];
  const draw = ({ text }: Toast) => void seen.push(text);
  toast({ text: "early" });
  const stop = drawToasts(draw);
  toast({ text: "now" });
  stop();
  toast({ text: "between" });
  expect(seen).toEqual(["early", "now"]);
  drawToasts(draw)();
  expect(seen).toEqual(["early", "now", "between"]);
});
