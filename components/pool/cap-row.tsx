/** One cap as a row: whose it is, what it was, and the field; with what is wrong with it below. */
import { useId } from "react";
import { Icon } from "../ui/icon";
import { Avatar } from "../ui/person";
import { inSentence } from "../ui/written";
import { capMistake } from "./cap";

interface CapRowProps {
  readonly label: string;
  /** Whose exception it is. */
  readonly userId?: string;
  readonly text: string;
  /** What stands while something else is typed; null: nothing else is. */
  readonly was: number | null;
  readonly change: (text: string) => void;
  /** Takes an exception away. */
  readonly remove?: () => void;
}

export function CapRow({ label, userId, text, was, change, remove }: CapRowProps) {
  const id = useId();
  const mistake = capMistake(text);
  return (
    <>
      <div className="setrow">
        {userId === undefined ? null : <Avatar userId={userId} name={label} />}
        <label htmlFor={id} className="cut" dir="auto">
          {label}
        </label>
        <span className="end faint whitespace-nowrap">{was === null ? "" : `was ${was}`}</span>
        <span className={`field num shrink-0 ${mistake === null ? "" : "bad-input"}`}>
          <input
            id={id}
            inputMode="numeric"
            autoComplete="off"
            value={text}
            aria-invalid={mistake === null ? undefined : true}
            aria-describedby={mistake === null ? undefined : `${id}-note`}
            onChange={(event) => change(event.target.value)}
          />
        </span>
        {remove === undefined ? null : (
          <button
            type="button"
            className="btn sm ghost icon shrink-0"
            aria-label={`Remove the exception of ${inSentence(label)}`}
            onClick={remove}
          >
            <Icon name="x" small />
          </button>
        )}
      </div>
      {mistake === null ? null : (
        <p id={`${id}-note`} className="mistake text-12 text-end" role="alert">
          {mistake}
        </p>
      )}
    </>
  );
}
