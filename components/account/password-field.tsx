"use client";
/** A password: hidden, and shown to whoever wants to read what they typed. */
import { type ComponentProps, useState } from "react";
import { Field } from "../ui/field";

export function PasswordField(field: Omit<ComponentProps<typeof Field>, "type" | "behind">) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={isShown ? "text" : "password"}
      spellCheck={false}
      autoCapitalize="none"
      behind={
        <button
          type="button"
          className="btn sm ghost -mr-2"
          aria-pressed={isShown}
          aria-label="Show what is typed"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? "Hide" : "Show"}
        </button>
      }
    />
  );
}
