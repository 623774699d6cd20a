"use client";
/**
 * A component whose code is fetched when it is first wanted. Unlike the framework's own way, a failed fetch (no network, a
 * server that restarts) takes nothing down: it is tried again until it works.
 */
import { type ComponentType, useEffect, useState } from "react";
import { NotSent } from "../api";
import { toast } from "./toast";

/** Pause before another try, in milliseconds. */
const AGAIN_MS = 1_000;

export function useOnDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
  isWanted: boolean,
): ComponentType<Props> | null {
  const [loaded, setLoaded] = useState<{ readonly component: ComponentType<Props> } | null>(null);
  useEffect(() => {
    if (!isWanted || loaded !== null) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = () => {
      load().then(
        (component) => {
          if (!isOver) setLoaded({ component });
        },
        () => {
          if (!isOver) timer = setTimeout(attempt, AGAIN_MS);
        },
      );
    };
    attempt();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, isWanted, loaded]);
  return loaded?.component ?? null;
}

/** For code that is fetched at a press, where the network that would bring it is missing. */
export function notThere(): void {
  toast({ icon: "off", isBad: true, text: new NotSent().message });
}
