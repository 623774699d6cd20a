import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { AT_LINE_START, readAnsi } from "./ansi";
import { Row } from "./row";

afterEach(cleanup);

const ESC = "\u001b";

function show(text: string, sought = "") {
  const { lines } = readAnsi(AT_LINE_START, `${text}\n`);
  const { container } = render(lines.map((line) => <Row key={0} line={line} sought={sought} />));
  return container;
}

test("[SEC-4][S3] a link leads away with its true address beside it, and knows nothing of our page", () => {
  const shown = show(`${ESC}]8;;https://evil.test/${ESC}\\https://example.test/login${ESC}]8;;${ESC}\\ after`);
  const link = shown.querySelector("a");
  expect(link?.getAttribute("href")).toBe("https://evil.test/");
  expect(link?.getAttribute("target")).toBe("_blank");
  expect(link?.getAttribute("rel")).toBe("noopener noreferrer");
  expect(shown.textContent).toBe("https://example.test/login (https://evil.test/) after");
});

test("[SEC-4] a coloured link is one link, and one that says its address says it once", () => {
  const address = "https://example.test/";
  const shown = show(`${ESC}]8;;${address}${ESC}\\https://${ESC}[31mexample.test/${ESC}[0m${ESC}]8;;${ESC}\\`);
  expect(shown.querySelectorAll("a")).toHaveLength(1);
  expect(shown.textContent).toBe(address);
});

test("[SEC-4] markup and script addresses are text, coloured or not, and found words are marked in it", () => {
  const html = "<script>alert(1)</script><img src=x onerror=alert(1)> a -> b && c < d";
  for (const text of [
    html,
    `${ESC}[1;31m${html}${ESC}[0m`,
    `${ESC}]8;;javascript:alert(1)${ESC}\\${html}${ESC}]8;;${ESC}\\`,
  ]) {
    const shown = show(text, "alert");
    expect(shown.textContent).toBe(html);
    expect(shown.querySelectorAll("script, img, a")).toHaveLength(0);
    expect(shown.querySelectorAll("mark")).toHaveLength(2);
  }
});
