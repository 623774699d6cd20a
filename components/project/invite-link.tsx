"use client";
/** A link that makes one account and lets it into the project: shown once, works once, for a week. */
import { useState } from "react";
import { client, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";

export function InviteLink({ projectId }: { projectId: string }) {
  const [link, setLink] = useState<string | null>(null);
  const [mistake, setMistake] = useState<string | null>(null);
  const [isCopied, setCopied] = useState(false);
  const make = async () => {
    setMistake(null);
    setCopied(false);
    try {
      const { path } = await client.invitations.make({ projectId });
      setLink(new URL(path, globalThis.location.origin).href);
    } catch (error) {
      setMistake(sentenceOf(error));
    }
  };
  const copy = () => {
    if (link !== null) void navigator.clipboard?.writeText(link).then(() => setCopied(true));
  };
  return (
    <div className="panel-foot flex-wrap">
      {link === null ? (
        <>
          <span className="dim">Somebody has no account yet?</span>
          <button type="button" className="btn end" onClick={() => void make()}>
            <Icon name="link" small />
            Make an invitation link
          </button>
        </>
      ) : (
        <>
          <span className="field flex-1">
            <input aria-label="Invitation link" readOnly value={link} onFocus={(event) => event.target.select()} />
          </span>
          <button type="button" className="btn" onClick={copy}>
            <Icon name={isCopied ? "check" : "copy"} small />
            {isCopied ? "Copied" : "Copy"}
          </button>
          <p className="hint m-0! w-full">It works once, within a week, and is shown only now.</p>
        </>
      )}
      {mistake === null ? null : <FormMistake>{mistake}</FormMistake>}
    </div>
  );
}
