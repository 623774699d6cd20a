/** A labelled input with its hint and its mistake, tied together for readers of the screen. */
import { type ComponentProps, useId } from "react";

interface FieldProps extends ComponentProps<"input"> {
  readonly label: string;
  readonly hint?: string;
  readonly mistake?: string | null;
}

export function Field({ label, hint, mistake, className = "", ...input }: FieldProps) {
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
      </span>
      {note ? (
        <p id={`${id}-note`} className={`hint ${mistake ? "bad" : ""}`} dir="auto">
          {note}
        </p>
      ) : null}
    </div>
  );
}

/** A mistake that belongs to the whole form; announced when it appears, and taking no room before. */
export function FormMistake({ children }: { children: string | null }) {
  return (
    <div role="alert" className="form-mistake">
      {children === null ? null : (
        <p className="bad [overflow-wrap:anywhere]" dir="auto">
          {children}
        </p>
      )}
    </div>
  );
}
