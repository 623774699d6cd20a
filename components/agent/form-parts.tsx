"use client";
/** The pieces an agent's form is made of. */
import { useId } from "react";

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [string, string])[];
  readonly choose: (value: string) => void;
}

export function Choice({ label, value, choices, choose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="field">
        <select id={id} value={value} onChange={(event) => choose(event.target.value)}>
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}

interface LinesProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly note: string;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly isFixed?: boolean;
}

/** A list, one entry per line. */
export function Lines({ label, value, change, note, rows = 2, placeholder, isFixed = false }: LinesProps) {
  const id = useId();
  return (
    <div>
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="textarea mono"
        rows={rows}
        value={value}
        onChange={(event) => change(event.target.value)}
        placeholder={placeholder}
        aria-describedby={`${id}-note`}
        readOnly={isFixed}
        spellCheck={false}
      />
      <p id={`${id}-note`} className="hint">
        {note}
      </p>
    </div>
  );
}
