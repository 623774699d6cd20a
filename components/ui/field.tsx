/** A labelled input with its hint and its mistake, tied together for readers of the screen. */
import { type ComponentProps, type ReactNode, useId } from "react";
import { SignInLink } from "../frame/sign-in-link";
import { useConnectionState } from "../live/live-provider";

interface FieldProps extends ComponentProps<"input"> {
  readonly label: string;
  readonly hint?: string;
  readonly mistake?: string | null;
  /** The mistake is an answer to what was sent, and not to what is being typed: it is announced. */
  readonly isAnswer?: boolean;
  /** Inside the frame, behind what is written. */
  readonly behind?: ReactNode;
}

export function Field({ label, hint, mistake, isAnswer = false, behind, className = "", ...input }: FieldProps) {
  const id = useId();
  const note = mistake ?? hint;
  return (
    <div className={className}>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className={`field ${mistake ? "bad-input" : ""}`}>
        <input
          id={id}
          aria-invalid={mistake ? true : undefined}
          aria-describedby={note ? `${id}-note` : undefined}
          {...input}
        />
        {behind}
      </span>
      {note ? (
        <p
          id={`${id}-note`}
          className={`hint ${mistake ? "mistake" : ""}`}
          role={mistake && isAnswer ? "alert" : undefined}
        >
          {note}
        </p>
      ) : null}
    </div>
  );
}

/**
 * A mistake that belongs to the whole form; announced when it appears, and taking no room before. Where the login has expired
 * the way to a new one stands in it: a form may lie over the banner that has it too.
 */
export function FormMistake({ children }: { children: string | null }) {
  const isExpired = useConnectionState().kind === "expired";
  return (
    <div role="alert" className="form-mistake">
      {children === null ? null : (
        <p className="mistake">
          {children}
          {isExpired ? (
            <>
              {" "}
              <SignInLink className="btn sm" />
            </>
          ) : null}
        </p>
      )}
    </div>
  );
}
