/** What a run found, for people: one table, the first findings in words, the seed and how to repeat it. Pure. */
import { FINDINGS } from "./checker";
import { VICTIMS } from "./plan";
import type { RunReport } from "./run";

const SHOWN_MOST = 8;

export function reportOf({ verdict, kills, planned, figures }: RunReport, repeat: string): string {
  const rows: [string, string][] = [
    ...VICTIMS.map((victim): [string, string] => [
      `${victim === "writer" ? "frozen" : "killed"}: ${victim}`,
      String(kills[victim]),
    ]),
    ...Object.entries(figures).map(([name, value]): [string, string] => [name, String(value)]),
    ["grants judged", String(verdict.judged.grants)],
    ["pairs in order judged", String(verdict.judged.pairs)],
    ["outputs read whole", String(verdict.judged.whole)],
    ["outputs read while they came", String(verdict.judged.followed)],
    ...FINDINGS.map((finding): [string, string] => [finding.toUpperCase(), String(verdict.findings[finding].length)]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const done = Object.values(kills).reduce((sum, count) => sum + count, 0);
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value.padStart(6)}`),
    ...FINDINGS.flatMap((finding) => shown(finding, verdict.findings[finding])),
    ...(done < planned ? [`Time was up after ${done} of ${planned} kills.`] : []),
    `${verdict.isClean ? "Clean" : "NOT CLEAN"}. To repeat: ${repeat}`,
  ].join("\n");
}

function shown(about: string, sentences: readonly string[]): string[] {
  const left = sentences.length - SHOWN_MOST;
  return [
    ...sentences.slice(0, SHOWN_MOST).map((sentence) => `  ${about}: ${sentence}`),
    ...(left > 0 ? [`  ${about}: … and ${left} more`] : []),
  ];
}
