/**
 * What an agent says, as Markdown. Loaded on demand. Nothing in it can run or reach out (S3): HTML is text, pictures are not
 * fetched, links lead to http, https and mailto only and say where. Its headings and lists are none of the page's own.
 */
import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { safeAddress } from "../output/escapes";

const PLUGINS = [remarkGfm];

function Head({ children }: { children?: ReactNode }) {
  return <p className="md-head">{children}</p>;
}

/** What a link says is not where it leads, so the true address stands beside it. */
function Link({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (!href) return children;
  const isSaid = children === href || children === href.replace(/\/$/, "");
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" title={href}>
        {children}
      </a>
      {isSaid ? null : <span className="md-address"> ({href})</span>}
    </>
  );
}

function Picture({ alt, src }: { alt?: string | undefined; src?: unknown }) {
  return (
    <span className="faint">
      [picture{alt ? `: ${alt}` : ""}
      {typeof src === "string" && src !== "" ? ` · ${src}` : ""}]
    </span>
  );
}

// Ids and roles of footnotes and boxes would be there once for each message: only what is written stays.
const PARTS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ alt, src }) => <Picture alt={alt} src={src} />,
  input: ({ checked }) => <span>{checked ? "☑" : "☐"}</span>,
  li: ({ children }) => <li dir="auto">{children}</li>,
  p: ({ children }) => <p dir="auto">{children}</p>,
  section: ({ children }) => <div>{children}</div>,
  sup: ({ children }) => <sup>{children}</sup>,
  h1: Head,
  h2: Head,
  h3: Head,
  h4: Head,
  h5: Head,
  h6: Head,
};

export function Markdown({ text }: { text: string }) {
  return (
    <div className="md">
      <ReactMarkdown remarkPlugins={PLUGINS} components={PARTS} urlTransform={(address) => safeAddress(address) ?? ""}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
