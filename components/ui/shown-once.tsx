"use client";
/** A secret that the server has told once: to be copied now, because it is kept nowhere. */
import { copyText } from "../task/copy";
import { Icon } from "./icon";

interface ShownOnceProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
}

export function ShownOnce({ label, value, hint }: ShownOnceProps) {
  return (
    <>
      <span className="field mono flex-1">
        <input aria-label={label} readOnly value={value} onFocus={(event) => event.target.select()} />
      </span>
      <button type="button" className="btn" onClick={() => copyText(value, "copy", `${label} copied`)}>
        <Icon name="copy" small />
        Copy
      </button>
      <p className="hint m-0! w-full" role="status">
        {hint}
      </p>
    </>
  );
}
