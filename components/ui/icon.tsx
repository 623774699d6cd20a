/** The design's drawings, 16 × 16, inline so that they take the text's colour. Decorative: the word stands beside them. */
import type { ReactNode } from "react";

const STROKES = {
  chev: <path d="M4.5 6.5L8 10l3.5-3.5" />,
  bars: <path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.25" />
      <path d="M10.2 10.2L13.5 13.5" />
    </>
  ),
  plus: <path d="M8 3.5v9M3.5 8h9" />,
  pause: <path d="M5.75 3.5v9M10.25 3.5v9" />,
  filter: <path d="M2.5 4h11M4.5 8h7M6.5 12h3" />,
  play: <path d="M5 3.5v9L12.5 8z" />,
  dots: <path d="M3.5 8v.01M8 8v.01M12.5 8v.01" strokeWidth="2" />,
  arrow: <path d="M3 8h10M9.5 4.5L13 8l-3.5 3.5" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1.25" />,
  retry: <path d="M13 8a5 5 0 1 1-1.6-3.7L13 5.8M13 2.8v3h-3" />,
  check: <path d="M3.5 8.5l3 3 6-6.5" />,
  branch: (
    <>
      <circle cx="4.5" cy="3.75" r="1.5" />
      <circle cx="4.5" cy="12.25" r="1.5" />
      <circle cx="11.5" cy="5.25" r="1.5" />
      <path d="M4.5 5.25v5.5M11.5 6.75c0 2.5-3 2.5-5.5 3.5" />
    </>
  ),
  alert: <path d="M8 2.5L14 13H2zM8 6.5v3M8 11.3v.01" />,
  copy: (
    <>
      <rect x="5.5" y="5.5" width="7.5" height="7.5" rx="1.5" />
      <path d="M10.5 3H4.5A1.5 1.5 0 0 0 3 4.5v6" />
    </>
  ),
  down: <path d="M8 3v8M4.5 8L8 11.5 11.5 8M3.5 13.5h9" />,
  expand: <path d="M9.5 3H13v3.5M6.5 13H3V9.5M13 3L9 7M3 13l4-4" />,
  file: (
    <>
      <path d="M4 2.5h5L12 5.5v8H4z" />
      <path d="M9 2.5v3h3" />
    </>
  ),
  follow: <path d="M8 3v9M4.5 8.5L8 12l3.5-3.5" />,
  link: <path d="M6.5 9.5l3-3M7.5 4.5l1-1a2.8 2.8 0 0 1 4 4l-1 1M8.5 11.5l-1 1a2.8 2.8 0 0 1-4-4l1-1" />,
  merge: (
    <>
      <circle cx="4.5" cy="3.75" r="1.5" />
      <circle cx="4.5" cy="12.25" r="1.5" />
      <circle cx="11.5" cy="9.25" r="1.5" />
      <path d="M4.5 5.25v5.5M4.5 5.5c.4 2.4 2.5 3.75 5.5 3.75" />
    </>
  ),
  off: (
    <path d="M2.5 2.5l11 11M3 6.2A8 8 0 0 1 6 4.5M8.5 4.1A8 8 0 0 1 13.5 6.5M5.2 8.8A4.6 4.6 0 0 1 7 7.8M8 12v.01" />
  ),
  pen: <path d="M10.5 3l2.5 2.5L6 12.5l-3 .5.5-3z" />,
  right: <path d="M6.5 4.5L10 8l-3.5 3.5" />,
  term: <path d="M3 4.5L6.5 8 3 11.5M8 12h5" />,
  think: (
    <>
      <path d="M5 8v.01M8 8v.01M11 8v.01" strokeWidth="2" />
      <circle cx="8" cy="8" r="6" />
    </>
  ),
  top: <path d="M3.5 3.5h9M8 13V6.5M4.5 9.5L8 6l3.5 3.5" />,
  undo: <path d="M3 6h6.5a3.5 3.5 0 0 1 0 7H6M3 6l3-3M3 6l3 3" />,
  up: <path d="M8 13V4M4.5 7.5L8 4l3.5 3.5" />,
  x: <path d="M4 4l8 8M12 4l-8 8" />,
} satisfies Record<string, ReactNode>;

const ON_SURFACE = { fill: "none", stroke: "var(--surface)", strokeWidth: 1.6, strokeLinecap: "round" } as const;

const MARKS = {
  running: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M6.4 5.2v5.6L11 8z" fill="var(--surface)" />
    </>
  ),
  starting: (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" opacity=".35" />
      <path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </>
  ),
  asking: (
    <>
      <path
        d="M3.5 1.5h9A1.5 1.5 0 0 1 14 3v7a1.5 1.5 0 0 1-1.5 1.5H8.8L5.5 14.5v-3h-2A1.5 1.5 0 0 1 2 10V3a1.5 1.5 0 0 1 1.5-1.5z"
        fill="currentColor"
      />
      <path d="M6.5 5.2a1.5 1.5 0 1 1 2.2 1.3c-.5.3-.7.5-.7 1M8 9.3v.05" {...ON_SURFACE} strokeWidth="1.4" />
    </>
  ),
  stopping: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <rect x="5.75" y="5.75" width="4.5" height="4.5" rx=".75" fill="currentColor" />
    </>
  ),
  succeeded: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M5 8.2l2.1 2.1L11 6" {...ON_SURFACE} strokeLinejoin="round" />
    </>
  ),
  plan: (
    <>
      <rect x="2" y="1.5" width="12" height="13" rx="2" fill="currentColor" />
      <path d="M5 5.25h6M5 8h6M5 10.75h3.5" {...ON_SURFACE} strokeWidth="1.4" />
    </>
  ),
  failed: (
    <>
      <path d="M5.1 1.2h5.8l3.9 3.9v5.8l-3.9 3.9H5.1l-3.9-3.9V5.1z" fill="currentColor" />
      <path d="M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6" {...ON_SURFACE} />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M3.8 12.2l8.4-8.4" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
  done: (
    <path
      d="M2.8 8.6l3.2 3.2 7-7.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  held: <path d="M3 8h10" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof STROKES;
export type MarkName = keyof typeof MARKS;

export function Icon({ name, small = false, className = "" }: { name: IconName; small?: boolean; className?: string }) {
  return (
    <svg className={`i ${small ? "i-s" : ""} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {STROKES[name]}
    </svg>
  );
}

/** The sign of a session's state: a shape of its own for each, so that it is clear without colour. */
export function Mark({ name, className = "" }: { name: MarkName; className?: string }) {
  return (
    <svg className={`st ${className}`} viewBox="0 0 16 16" aria-hidden="true">
      {MARKS[name]}
    </svg>
  );
}

export function Brand() {
  const chairs = [
    [11, 2.4],
    [17.1, 4.9],
    [19.6, 11],
    [17.1, 17.1],
    [11, 19.6],
    [4.9, 17.1],
    [2.4, 11],
    [4.9, 4.9],
  ] as const;
  return (
    <svg viewBox="0 0 22 22" width="22" height="22" aria-hidden="true">
      <circle cx="11" cy="11" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.75" />
      {chairs.map(([x, y], chair) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="1.55" fill={chair === 1 ? "var(--accent)" : "currentColor"} />
      ))}
    </svg>
  );
}
