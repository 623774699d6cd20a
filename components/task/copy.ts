/** Into the clipboard, and a word about it. */
import type { IconName } from "../ui/icon";
import { toast } from "../ui/toast";

export function copyText(text: string, icon: IconName, done: string): void {
  const failed = () =>
    toast({ icon: "alert", isBad: true, text: "The browser does not let this page use the clipboard." });
  // Pages that did not come over https have no clipboard.
  if (navigator.clipboard === undefined) failed();
  else navigator.clipboard.writeText(text).then(() => toast({ icon, text: done }), failed);
}
