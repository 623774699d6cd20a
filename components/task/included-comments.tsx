"use client";
/** Says in the follow-up's box which comments on lines go along, and shows them as the agent will read them. */
import { useId, useState } from "react";
import type { AgentKind } from "@/server/core/words";
import { toldOf } from "../diff/comment-message";
import { keptOf, type LineComment } from "../diff/comments";
import { Icon } from "../ui/icon";

export function IncludedComments({ comments, kind }: { comments: readonly LineComment[]; kind: AgentKind | null }) {
  const [isShown, setShown] = useState(false);
  const id = useId();
  const kept = keptOf(comments);
  const gone = kept.filter(({ isGone }) => isGone).length;
  const unfinished = comments.filter(({ draft }) => draft !== null).length;
  return (
    <div className="included">
      {kept.length === 0 ? null : (
        <button
          type="button"
          className="chip solid"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          onClick={() => setShown(!isShown)}
        >
          <Icon name={isShown ? "chev" : "right"} small />
          {kept.length === 1 ? "1 line comment included" : `${kept.length} line comments included`}
        </button>
      )}
      {gone === 0 ? null : <span>{gone === 1 ? "1 on a line that is gone" : `${gone} on lines that are gone`}</span>}
      {unfinished === 0 ? null : (
        <span>
          {unfinished === 1
            ? "1 comment is unfinished and stays here"
            : `${unfinished} comments are unfinished and stay here`}
        </span>
      )}
      {kind === "shell" && kept.length > 0 ? (
        <span>
          {kept.length === 1 ? "It stands above the script as a comment." : "They stand above the script as comments."}
        </span>
      ) : null}
      {isShown && kept.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keyboard
        <section id={id} aria-label="What is sent along" tabIndex={0}>
          <pre dir="auto">{toldOf(kept)}</pre>
        </section>
      ) : null}
    </div>
  );
}
