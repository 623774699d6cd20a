"use client";
/** Chooses who gets a limit of their own. */
import { useEffect, useRef } from "react";
import { usePeople } from "../people/use-people";
import { Icon } from "../ui/icon";

interface AddExceptionProps {
  readonly isOpen: boolean;
  readonly open: (isOpen: boolean) => void;
  /** Who has one. */
  readonly has: ReadonlySet<string>;
  readonly add: (userId: string) => void;
}

export function AddException({ isOpen, open, has, add }: AddExceptionProps) {
  const { all } = usePeople();
  const list = useRef<HTMLSelectElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // The focus stays here, whichever of the two is drawn.
  useEffect(() => {
    if (isOpen) list.current?.focus();
    else if (wasOpen.current) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const others = all.filter(({ id }) => !has.has(id));
  if (others.length === 0) return null;
  if (!isOpen) {
    return (
      <button ref={button} type="button" className="btn sm ghost -ms-2" onClick={() => open(true)}>
        <Icon name="plus" small />
        Add a person
      </button>
    );
  }
  return (
    <span className="field mt-1">
      <select
        ref={list}
        aria-label="Add a person"
        className="min-w-0 flex-1!"
        value=""
        onChange={(event) => {
          add(event.target.value);
          open(false);
        }}
      >
        <option value="" disabled>
          Who gets a limit of their own?
        </option>
        {others.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}
