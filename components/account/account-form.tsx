"use client";
/** Signing up and signing in. After it the page is loaded anew, so nothing of somebody else's stays on the screen. */
import Link from "next/link";
import { type FormEvent, useState } from "react";
import { Field, FormMistake } from "../ui/field";
import { Brand } from "../ui/icon";
import { enter } from "./account-calls";
import { PasswordField } from "./password-field";

interface AccountFormProps {
  readonly how: "sign-up" | "sign-in";
  /** Where to go then: a path of ours. */
  readonly next: string;
  /** Nobody is there yet: whoever signs up now is the administrator. */
  readonly isFirst: boolean;
  /** Nobody makes an account by themselves here. */
  readonly isClosed: boolean;
  readonly invitation?: string;
  /** Above the form, instead of the usual sentence. */
  readonly lead?: string;
  /** The only address with which it works. */
  readonly email?: string | null;
  /** Where whoever has an account goes on after signing in; absent: where `next` leads. */
  readonly signInNext?: string;
}

export function AccountForm({ how, next, isFirst, isClosed, invitation, lead, email, signInNext }: AccountFormProps) {
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isNew = how === "sign-up";

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "");
    setBusy(true);
    const name = isNew ? { name: text("name"), ...(invitation === undefined ? {} : { invitation }) } : {};
    const refusal = await enter(how, { ...name, email: text("email"), password: text("password") });
    setMistake(refusal?.sentence ?? null);
    if (refusal === null) globalThis.location.assign(next);
    else setBusy(false);
  };

  const other = `${isNew ? "/sign-in" : "/sign-up"}?next=${encodeURIComponent(signInNext ?? next)}`;
  return (
    <main id="main" className="grid min-h-dvh place-items-center p-6">
      <div className="w-full max-w-[360px]">
        <div className="brand mb-6">
          <Brand />
          <span>Camelot</span>
        </div>
        <h1 className="mb-1 text-20 font-semibold tracking-tight">{isNew ? "Create an account" : "Sign in"}</h1>
        <p className="dim mb-5 text-14">{lead ?? usualLead(isNew, isFirst, isClosed)}</p>
        <form method="post" onSubmit={(event) => void submit(event)} className="grid gap-4">
          {isNew ? (
            <Field label="Name" name="name" autoComplete="name" required maxLength={200} dir="auto" autoFocus />
          ) : null}
          <Field
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            required
            autoFocus={!isNew}
            {...(email ? { value: email, readOnly: true } : {})}
          />
          <PasswordField
            label="Password"
            name="password"
            required
            {...(isNew
              ? { autoComplete: "new-password", minLength: 8, hint: "At least 8 characters." }
              : { autoComplete: "current-password" })}
          />
          <FormMistake>{mistake}</FormMistake>
          <button type="submit" className="btn ink w-full" disabled={isBusy}>
            {isNew ? "Create account" : "Sign in"}
          </button>
        </form>
        {isFirst || (isClosed && !isNew) ? null : (
          <p className="dim mt-4">
            {isNew ? "You have an account? " : "No account yet? "}
            <Link href={other} className="accent underline">
              {isNew ? "Sign in" : "Create one"}
            </Link>
          </p>
        )}
      </div>
    </main>
  );
}

function usualLead(isNew: boolean, isFirst: boolean, isClosed: boolean): string {
  if (isFirst) return "You are the first one here, so you will be the administrator.";
  if (isNew && isClosed) return "Accounts are made by an administrator here.";
  return isNew
    ? "Then you see your board, or the way to your first project."
    : "A live board for tasks that agents work on.";
}
