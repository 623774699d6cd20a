/** A person as initials in a colour of their own: ten hues by a stable hash of the id, the same on every screen. */
import type { CSSProperties } from "react";
import { inSentence } from "./written";

/** 48–90 mean attention and 255–275 the accent, so no person has them. */
const HUES = [350, 20, 105, 130, 155, 180, 205, 230, 290, 320] as const;

export function hueOf(userId: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 16_777_619);
  return HUES[(hash >>> 0) % HUES.length] ?? HUES[0];
}

export function hueStyle(userId: string): CSSProperties {
  return { "--h": hueOf(userId) } as CSSProperties;
}

/** The first letters of the first and the last word that begin with one; without any, the first character as it is. */
export function initialsOf(name: string): string {
  const beginnings = name.match(/(?<![^\s])[\p{L}\p{N}]/gu) ?? [];
  const [first, last] = [beginnings[0], beginnings.at(-1)];
  if (first === undefined || last === undefined) return ([...name.trim()][0] ?? "").toUpperCase();
  return (beginnings.length > 1 ? first + last : first).toUpperCase();
}

export function firstNameOf(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}

interface AvatarProps {
  readonly userId: string;
  readonly name: string;
  readonly you?: boolean;
  readonly size?: "sm" | "md" | "lg";
}

export function Avatar({ userId, name, you = false, size = "sm" }: AvatarProps) {
  const classes = ["ava", "u", size === "sm" ? "" : size, you ? "you" : ""].filter(Boolean).join(" ");
  return (
    <span
      className={classes}
      style={hueStyle(userId)}
      role="img"
      aria-label={you ? `${inSentence(name)} (you)` : name || "Somebody"}
    >
      {initialsOf(name)}
    </span>
  );
}
