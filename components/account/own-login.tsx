"use client";
/** One's own name, password and logins (S1). */
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useMe } from "../people/use-people";
import { ask } from "../ui/ask";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { useOnePress } from "../ui/use-one-press";
import { type AccountRefusal, changePassword, leaveElsewhere, rename } from "./account-calls";
import { PasswordField } from "./password-field";

export function OwnLogin() {
  const me = useMe();
  return (
    <section className="panel" aria-labelledby="login-head">
      <div className="panel-head">
        <h2 id="login-head">You</h2>
      </div>
      {me === undefined ? null : (
        <>
          <NameForm name={me.name} />
          <PasswordForm email={me.email} />
        </>
      )}
      <Elsewhere />
    </section>
  );
}

function NameForm({ name }: { name: string }) {
  const [written, setWritten] = useState<string | null>(null);
  const wanted = written ?? name;
  const send = async () => {
    const refusal = await rename(wanted);
    if (refusal === null) setWritten(wanted.trim());
    return refusal;
  };
  return (
    <LoginForm
      label="Change name"
      isReady={wanted.trim() !== "" && wanted.trim() !== name}
      done="Your name is changed."
      fields={["name"]}
      send={send}
    >
      {(mistakes) => (
        <Field
          className="flex-1"
          label="Name"
          name="name"
          autoComplete="name"
          value={wanted}
          maxLength={200}
          dir="auto"
          mistake={mistakes.name ?? null}
          isAnswer
          onChange={(event) => setWritten(event.target.value)}
        />
      )}
    </LoginForm>
  );
}

function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState("");
  const [wanted, setWanted] = useState("");
  const send = async () => {
    const refusal = await changePassword(current, wanted);
    if (refusal !== null) return refusal;
    setCurrent("");
    setWanted("");
    return null;
  };
  return (
    <LoginForm
      label="Change password"
      isReady={current !== "" && wanted !== ""}
      done="Your password is changed. Every other browser is signed out."
      hint="At least 8 characters. Every other browser is signed out then; agents go on, and so do tokens."
      fields={["currentPassword", "newPassword"]}
      send={send}
    >
      {(mistakes) => (
        <>
          {/* For what keeps passwords: whose it is. */}
          <input hidden type="email" autoComplete="username" readOnly value={email} />
          <PasswordField
            className="labelled flex-1"
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            value={current}
            mistake={mistakes.currentPassword ?? null}
            isAnswer
            onChange={(event) => setCurrent(event.target.value)}
          />
          <PasswordField
            className="labelled flex-1"
            label="New password"
            name="newPassword"
            autoComplete="new-password"
            value={wanted}
            mistake={mistakes.newPassword ?? null}
            isAnswer
            onChange={(event) => setWanted(event.target.value)}
          />
        </>
      )}
    </LoginForm>
  );
}

function Elsewhere() {
  const onePress = useOnePress();
  const leave = async () => {
    const isSure = await ask({
      title: "Sign out every other browser?",
      text: "Whoever uses Camelot there in your name has to sign in again. This browser stays signed in; agents go on, and so do tokens.",
      yes: "Sign out elsewhere",
      no: "Keep them",
    });
    if (!isSure) return;
    await onePress(async () => {
      const refusal = await leaveElsewhere();
      toast(
        refusal === null
          ? { icon: "check", text: "Every other browser is signed out." }
          : { icon: "alert", isBad: true, text: refusal.sentence },
      );
    });
  };
  return (
    <div className="panel-foot flex-wrap">
      <span className="dim flex-1">Signed in on a machine that is not yours, or lost?</span>
      <button type="button" className="btn" onClick={() => void leave()}>
        Sign out elsewhere
      </button>
    </div>
  );
}

type Mistakes = Readonly<Record<string, string | undefined>>;

interface LoginFormProps {
  /** Of the button. */
  readonly label: string;
  readonly isReady: boolean;
  readonly hint?: string;
  /** Said when it worked. */
  readonly done: string;
  /** Names of what is shown; a mistake in something else is one of the form. */
  readonly fields: readonly string[];
  /** Null when it worked, else why not. */
  readonly send: () => Promise<AccountRefusal | null>;
  readonly children: (mistakes: Mistakes) => ReactNode;
}

/** The button goes grey with what it did: the keyboard goes on in the field that is wrong, or in the first. */
function LoginForm({ label, isReady, hint, done, fields, send, children }: LoginFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [refusal, setRefusal] = useState<AccountRefusal | null>(null);
  const onePress = useOnePress();
  const wrong = refusal !== null && fields.includes(refusal.field) ? refusal.field : null;
  const submit = async () => {
    const answer = await send();
    setRefusal(answer);
    const name = answer !== null && fields.includes(answer.field) ? answer.field : fields[0];
    form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
    if (answer === null) toast({ icon: "check", text: done });
    else throw new Error(answer.sentence);
  };
  return (
    <form
      ref={form}
      className="panel-foot flex-wrap items-start!"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (isReady) void onePress(submit);
      }}
    >
      {children(wrong === null ? {} : { [wrong]: refusal?.sentence })}
      <button type="submit" className="btn self-end" disabled={!isReady}>
        {label}
      </button>
      {hint === undefined ? null : <p className="hint m-0! w-full">{hint}</p>}
      <FormMistake>{refusal === null || wrong !== null ? null : refusal.sentence}</FormMistake>
    </form>
  );
}
