/**
 * Whoever speaks to the machine says what stands on a button: its name for readers of the screen has to hold the words that
 * are seen (WCAG 2.5.3). Reads the source, as no page shows every button.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOTS = ["app", "components"];

test("[B12] what has a name of its own for readers of the screen has the words that are seen in it", async () => {
  const files = await sources();
  const named = (await Promise.all(files.map(namedElements))).flat();
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter(({ name, seen }) => !name.toLowerCase().includes(seen.toLowerCase()))).toEqual([]);
});

test("[B12] a name without the words that are seen would be found", () => {
  const text = '<button aria-label="Try Shell"><Icon /><b>Try it</b><Kbd>T</Kbd></button>';
  expect(namedIn("x.tsx", text)).toEqual([{ file: "x.tsx", name: "Try Shell", seen: "Try it" }]);
});

async function sources(): Promise<string[]> {
  const found = await Promise.all(
    ROOTS.map((root) => readdir(root, { recursive: true }).then((all) => all.map((file) => join(root, file)))),
  );
  return found.flat().filter((file) => file.endsWith(".tsx") && !file.includes(".test."));
}

async function namedElements(file: string) {
  return namedIn(file, await readFile(file, "utf8"));
}

/** Buttons and links with an `aria-label` and words of their own; what is only known at run time is `…` in the name, and left out of the words. */
function namedIn(file: string, text: string) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: { file: string; name: string; seen: string }[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && /^(button|a|Link)$/.test(node.openingElement.tagName.getText())) {
      const name = nameOf(node.openingElement);
      const seen = wordsIn(node).join(" ").replace(/…$/, "");
      if (name !== null && seen !== "") found.push({ file, name, seen });
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return found;
}

/** Null: it has none, or one that is only known at run time. */
function nameOf({ attributes }: ts.JsxOpeningElement): string | null {
  for (const one of attributes.properties) {
    if (!ts.isJsxAttribute(one) || one.name.getText() !== "aria-label" || one.initializer === undefined) continue;
    const value = ts.isJsxExpression(one.initializer) ? one.initializer.expression : one.initializer;
    if (value === undefined) return null;
    if (ts.isStringLiteralLike(value)) return value.text;
    if (ts.isTemplateExpression(value)) {
      return [value.head.text, ...value.templateSpans.map(({ literal }) => literal.text)].join("…");
    }
  }
  return null;
}

function wordsIn(node: ts.Node): string[] {
  if (ts.isJsxText(node)) return node.text.trim() === "" ? [] : [node.text.trim().replace(/\s+/g, " ")];
  // A key beside the word is for the eye only.
  if (ts.isJsxElement(node) && /Kbd$/.test(node.openingElement.tagName.getText())) return [];
  const words: string[] = [];
  ts.forEachChild(node, (child) => {
    words.push(...wordsIn(child));
  });
  return words;
}
