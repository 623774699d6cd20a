"use client";
/** One comment on a line, below the line: as it is kept, or being written. What is typed survives a reload. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useMe } from "../people/use-people";
import { FormMistake } from "../ui/field";
import { CommandKbd } from "../ui/kbd";
import { Avatar, firstNameOf } from "../ui/person";
import { COMMENT_MAX_CHARS, changeComment, removeComments } from "./comment-store";
import type { LineComment } from "./comments";

interface CommentBoxProps {
  readonly taskId: string;
  readonly comment: LineComment;
  /** It was begun just now: the box has the focus. */
  readonly isFresh: boolean;
  /** It is kept, or gone: the focus goes back to the line. */
  readonly closed: () => void;
}

export function CommentBox(props: CommentBoxProps) {
  return props.comment.draft === null ? <Kept {...props} /> : <Editor {...props} draft={props.comment.draft} />;
}

function lineOf({ side, line }: LineComment): string {
  return side === "old" ? `removed line ${line}` : `line ${line}`;
}

function Kept({ taskId, comment, closed }: CommentBoxProps) {
  const me = useMe();
  const remove = () => {
    removeComments(taskId, [comment.id]);
    closed();
  };
  return (
    <article className="line-comment" aria-label={`Comment on ${lineOf(comment)}`}>
      <div className="line-comment-head">
        {me === undefined ? null : (
          <>
            <Avatar userId={me.id} name={me.name} you />
            <b dir="auto">{firstNameOf(me.name)}</b>
          </>
        )}
        <span className="faint">{lineOf(comment)} · goes into the follow-up</span>
        <button
          type="button"
          className="btn sm ghost end"
          onClick={() => changeComment(taskId, comment.id, { draft: comment.text })}
        >
          Edit
        </button>
        <button type="button" className="btn sm ghost" onClick={remove}>
          Remove
        </button>
      </div>
      {comment.isGone ? <Gone comment={comment} /> : null}
      <p className="line-comment-text" dir="auto">
        {comment.text}
      </p>
    </article>
  );
}

function Gone({ comment }: { comment: LineComment }) {
  return (
    <>
      <p className="hint">This line is not in the diff any more. The comment is sent with the line as it was:</p>
      <pre className="line-comment-quote">{comment.quote}</pre>
    </>
  );
}

function Editor({ taskId, comment, draft, isFresh, closed }: CommentBoxProps & { readonly draft: string }) {
  const [mistake, setMistake] = useState<string | null>(null);
  const editor = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const { id } = comment;
  // Asked for by a press, unlike a box that a reload brought back.
  const wantsFocus = isFresh || comment.text !== "";
  useEffect(() => {
    if (!wantsFocus) return;
    box.current?.focus({ preventScroll: true });
    showWhole(editor.current);
  }, [wantsFocus]);

  const typed = (text: string) => {
    setMistake(changeComment(taskId, id, { draft: text }));
    showWhole(editor.current); // it grows with its lines
  };
  const keep = () => {
    const kept = draft.trim();
    if (kept === "") return;
    const why = changeComment(taskId, id, { text: kept, draft: null });
    setMistake(why);
    if (why === null) closed();
  };
  const cancel = () => {
    if (comment.text === "") removeComments(taskId, [id]);
    else changeComment(taskId, id, { draft: null });
    closed();
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) keep();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={editor} className="line-comment is-open">
      {comment.isGone ? <Gone comment={comment} /> : null}
      <textarea
        ref={box}
        rows={2}
        dir="auto"
        aria-label={`Comment on ${lineOf(comment)}`}
        placeholder="What should be different here?"
        maxLength={COMMENT_MAX_CHARS}
        value={draft}
        onChange={(event) => typed(event.target.value)}
        onKeyDown={pressed}
      />
      <div className="line-comment-head">
        <span className="faint">{lineOf(comment)} · goes into the follow-up</span>
        <button type="button" className="btn sm ghost end" onClick={cancel}>
          Cancel
        </button>
        <button type="button" className="btn sm ink" aria-disabled={draft.trim() === "" || undefined} onClick={keep}>
          Keep
          <CommandKbd>↵</CommandKbd>
        </button>
      </div>
      <FormMistake>{mistake}</FormMistake>
    </div>
  );
}

/** With the buttons that end it: a phone's Cancel and Keep are its only ones, and no key stands for them. */
function showWhole(editor: HTMLElement | null): void {
  editor?.scrollIntoView({ block: "nearest" });
}
