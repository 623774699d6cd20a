/**
 * Syntax colours for the lines of a patch. Loaded with the first file that has some; each language by itself. Pure but for
 * that: text in, pieces of the same text with a name out, never markup.
 */
import { createLowlight, type LanguageFn } from "lowlight";
import type { ContentLine, PatchLine } from "./patch";
import { isContent } from "./patch";

/** A piece of a line that has a colour; pieces are in order and do not overlap. */
export interface Coloured {
  readonly from: number;
  readonly to: number;
  readonly name: ColourName;
}
export type ColourName = "keyword" | "string" | "number" | "comment" | "name" | "type";

/** More than so many characters of a file are not coloured, nor longer lines: it would hold the page up. */
const FILE_MAX_CHARS = 150_000;
const LINE_MAX_CHARS = 2_000;

const lowlight = createLowlight();

/** Hunk by hunk, with a pause for the page between them. Empty when there is no language for the file. */
export async function colourLines(
  path: string,
  lines: readonly PatchLine[],
  isOver: () => boolean,
): Promise<ReadonlyMap<ContentLine, readonly Coloured[]>> {
  const coloured = new Map<ContentLine, readonly Coloured[]>();
  const language = languageOf(path);
  if (language === null || charsOf(lines) > FILE_MAX_CHARS) return coloured;
  if (!lowlight.registered(language)) lowlight.register(language, (await LANGUAGES[language]()).default);
  for (const hunk of hunksOf(lines)) {
    if (isOver()) break;
    for (const side of ["removed", "added"] as const) {
      const shown = hunk.filter(({ kind }) => kind === "same" || kind === side);
      // What is unchanged reads alike on both sides; the new one counts.
      if (side === "removed" && shown.every(({ kind }) => kind === "same")) continue;
      for (const [place, pieces] of colour(language, shown).entries()) {
        const line = shown[place];
        if (line !== undefined) coloured.set(line, pieces);
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  return coloured;
}

function charsOf(lines: readonly PatchLine[]): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0);
}

function hunksOf(lines: readonly PatchLine[]): ContentLine[][] {
  const hunks: ContentLine[][] = [];
  for (const line of lines) {
    if (line.kind === "head") hunks.push([]);
    else if (isContent(line)) hunks.at(-1)?.push(line);
  }
  return hunks;
}

function colour(language: LanguageName, lines: readonly ContentLine[]): Coloured[][] {
  const texts = lines.map(({ text }) => (text.length > LINE_MAX_CHARS ? "" : text));
  const pieces: Coloured[][] = texts.map(() => []);
  let line = 0;
  let at = 0;
  const walk = (nodes: readonly Node[], name: ColourName | null) => {
    for (const node of nodes) {
      if (node.type === "text") {
        for (const [place, part] of (node.value ?? "").split("\n").entries()) {
          if (place > 0) [line, at] = [line + 1, 0];
          if (name !== null && part !== "") pieces[line]?.push({ from: at, to: at + part.length, name });
          at += part.length;
        }
      } else walk(node.children ?? [], nameOf(node) ?? name);
    }
  };
  walk(lowlight.highlight(language, texts.join("\n")).children, null);
  return pieces;
}

/** What is read of the library's tree. */
interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly Node[];
  readonly properties?: { readonly className?: unknown };
}

function nameOf({ properties }: Node): ColourName | null {
  const { className } = properties ?? {};
  const [scope = ""] = Array.isArray(className) ? className : [];
  return SCOPES.get(String(scope).replace(/^hljs-/, "")) ?? null;
}

/** The library's scopes that have each of our colours. */
const SCOPES = keyedBy<ColourName>({
  keyword: "keyword selector-tag literal meta-keyword section",
  string: "string regexp meta-string link code char",
  number: "number symbol bullet template-variable",
  comment: "comment quote doctag meta",
  name: "title name attr attribute property selector-class",
  type: "type built_in class selector-id variable",
});

const LANGUAGES = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  dart: () => import("highlight.js/lib/languages/dart"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"),
  elixir: () => import("highlight.js/lib/languages/elixir"),
  go: () => import("highlight.js/lib/languages/go"),
  graphql: () => import("highlight.js/lib/languages/graphql"),
  ini: () => import("highlight.js/lib/languages/ini"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"),
  lua: () => import("highlight.js/lib/languages/lua"),
  makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  scss: () => import("highlight.js/lib/languages/scss"),
  sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
} satisfies Record<string, () => Promise<{ default: LanguageFn }>>;
type LanguageName = keyof typeof LANGUAGES;

const BY_ENDING = keyedBy<LanguageName>({
  bash: "sh bash zsh",
  c: "c",
  cpp: "h cc cpp cxx hpp",
  csharp: "cs",
  css: "css",
  dart: "dart",
  elixir: "ex exs",
  go: "go",
  graphql: "graphql",
  ini: "ini toml",
  java: "java",
  javascript: "js jsx mjs cjs",
  json: "json",
  kotlin: "kt kts",
  lua: "lua",
  makefile: "mk",
  markdown: "md",
  php: "php",
  python: "py",
  ruby: "rb",
  rust: "rs",
  scss: "scss sass less",
  sql: "sql",
  swift: "swift",
  typescript: "ts tsx mts cts",
  xml: "xml html htm svg vue svelte",
  yaml: "yml yaml",
});
const BY_NAME = keyedBy<LanguageName>({
  dockerfile: "dockerfile",
  makefile: "makefile",
  ruby: "gemfile rakefile",
});

function languageOf(path: string): LanguageName | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return BY_NAME.get(name) ?? (name.includes(".") ? (BY_ENDING.get(ending) ?? null) : null);
}

/** Each of the words that are listed behind a name, with that name. */
function keyedBy<Name extends string>(words: Readonly<Partial<Record<Name, string>>>): ReadonlyMap<string, Name> {
  const entries = Object.entries(words) as [Name, string][];
  return new Map(entries.flatMap(([name, listed]) => listed.split(" ").map((word) => [word, name] as const)));
}
