/** Figures as one table and one JSON, with the machine they were measured on. What is missed says so and stands out. */
import { cpus, loadavg, totalmem } from "node:os";
import type { Figure } from "./figures";

export interface Measured {
  readonly name: string;
  /** Load of the machine (average of a minute) as this measurement began. */
  readonly load: number;
  readonly seconds: number;
  readonly figures: readonly Figure[];
  /** Why there are no figures. */
  readonly failure: string | null;
}

export interface Report {
  readonly command: string;
  readonly at: string;
  readonly machine: string;
  readonly node: string;
  readonly measured: readonly Measured[];
}

export function loadNow(): number {
  return loadavg()[0] ?? Number.NaN;
}

export function machine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${first?.model.trim() ?? "unknown processor"}, ${gigabytes} GB, ${process.platform} ${process.arch}`;
}

/** Markdown. */
export function table({ command, at, machine: where, node, measured }: Report): string {
  const rows = measured.flatMap(({ name, load, figures, failure }) =>
    failure === null
      ? figures.map((figure) =>
          row([name, figure.what, shown(figure), figure.target?.text ?? "", verdict(figure, load), figure.note ?? ""]),
        )
      : [row([name, "", "", "", "**failed**", failure])],
  );
  return [
    `\`${command}\`, ${at.slice(0, 10)}, ${where}, Node ${node}`,
    "",
    row(["measurement", "what", "value", "target", "", "how"]),
    row(["---", "---", "---:", "---", "---", "---"]),
    ...rows,
  ].join("\n");
}

/** Whether everything that has a target met it. */
export function isAllMet({ measured }: Report): boolean {
  return measured.every(
    ({ figures, failure }) => failure === null && figures.every((one) => one.target?.isMet !== false),
  );
}

/** A missed target is shown with what else the machine did: more load than processors explains much. */
function verdict({ target }: Figure, load: number): string {
  if (target === undefined) return "";
  if (target.isMet) return "met";
  const isBusy = load > cpus().length;
  return `**missed**${isBusy ? ` (load ${load.toFixed(1)} on ${cpus().length} processors)` : ""}`;
}

function shown({ value, unit }: Figure): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const number = Number.isInteger(value)
    ? value.toLocaleString("en")
    : value.toLocaleString("en", { maximumFractionDigits: digits });
  return `${number} ${unit}`.trim();
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}
