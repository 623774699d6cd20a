"use client";
/** One's own name, password and logins (S1). */
import { type FormEvent, type ReactNode, useState } from "react";
import { useMe } from "../people/use-people";
import { ask } from "../ui/ask";
import { Field, FormMistake } from "../ui/field";
import { toast } from "../ui/toast";
import { changePassword, leaveElsewhere, rename } from "./account-calls";

export function OwnLogin() {
  const me = useMe();
  return (
    <section className="panel" aria-labelledby="login-head">
      <div className="panel-head">
        <h2 id="login-head">You</h2>
      </div>
      {me === undefined ? null : (
        <>
          <NameForm key={me.name} name={me.name} />
          <PasswordForm email={me.email} />
        </>
      )}
      <Elsewhere />
    </section>
  );
}

function NameForm({ name }: { name: string }) {
  const [written, setWritten] = useState(name);
  return (
    <LoginForm
      label="Change name"
      isReady={written.trim() !== "" && written.trim() !== name}
      done="Your name is changed."
      send={() => rename(written)}
    >
      <Field
        className="flex-1"
        label="Name"
        autoComplete="name"
        value={written}
        maxLength={200}
        dir="auto"
        onChange={(event) => setWritten(event.target.value)}
      />
    </LoginForm>
  );
}

function PasswordForm({ email }: { email: string }) {
  const [current, setCurrent] = useState("");
  const [wanted, setWanted] = useState("");
  const send = async () => {
    const refusal = await changePassword({ currentPassword: current, newPassword: wanted });
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
      send={send}
    >
      {/* For what keeps passwords: whose it is. */}
      <input hidden type="email" autoComplete="username" readOnly value={email} />
      <Field
        className="labelled flex-1"
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <Field
        className="labelled flex-1"
        label="New password"
        type="password"
        autoComplete="new-password"
        minLength={8}
        value={wanted}
        onChange={(event) => setWanted(event.target.value)}
      />
    </LoginForm>
  );
}

function Elsewhere() {
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    const isSure = await ask({
      title: "Sign out every other browser?",
      text: "Whoever uses Camelot there in your name has to sign in again. This browser stays signed in; agents go on, and so do tokens.",
      yes: "Sign out elsewhere",
      no: "Keep them",
    });
    if (!isSure) return;
    setBusy(true);
    const refusal = await leaveElsewhere();
    setBusy(false);
    toast(
      refusal === null
        ? { icon: "check", text: "Every other browser is signed out." }
        : { icon: "alert", isBad: true, text: refusal },
    );
  };
  return (
    <div className="panel-foot flex-wrap">
      <span className="dim flex-1">Signed in on a machine that is not yours, or lost?</span>
      <button type="button" className="btn" disabled={isBusy} onClick={() => void leave()}>
        Sign out elsewhere
      </button>
    </div>
  );
}

interface LoginFormProps {
  /** Of the button. */
  readonly label: string;
  readonly isReady: boolean;
  readonly hint?: string;
  /** Said when it worked. */
  readonly done: string;
  /** Null when it worked, else why not. */
  readonly send: () => Promise<string | null>;
  readonly children: ReactNode;
}

function LoginForm({ label, isReady, hint, done, send, children }: LoginFormProps) {
  const [mistake, setMistake] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || isBusy) return;
    setBusy(true);
    const refusal = await send();
    setBusy(false);
    setMistake(refusal);
    if (refusal === null) toast({ icon: "check", text: done });
  };
  return (
    <form className="panel-foot flex-wrap" onSubmit={(event) => void submit(event)}>
      {children}
      <button type="submit" className="btn self-end" disabled={!isReady || isBusy}>
        {label}
      </button>
      {hint === undefined ? null : <p className="hint m-0! w-full">{hint}</p>}
      <FormMistake>{mistake}</FormMistake>
    </form>
  );
}
