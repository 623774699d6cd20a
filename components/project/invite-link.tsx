"use client";
/** A link that makes one account and lets it into the project: shown once, works once, for a week. */
import { useState } from "react";
import { client, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";
import { ShownOnce } from "../ui/shown-once";

export function InviteLink({ projectId }: { projectId: string }) {
  const [link, setLink] = useState<string | null>(null);
  const [mistake, setMistake] = useState<string | null>(null);
  const make = async () => {
    setMistake(null);
    try {
      const { path } = await client.invitations.make({ projectId });
      setLink(new URL(path, globalThis.location.origin).href);
    } catch (error) {
      setMistake(sentenceOf(error));
    }
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
          <ShownOnce
            label="Invitation link"
            value={link}
            hint="It makes one account, within a week, and is shown only now: send it yourself."
          />
          <button type="button" className="btn" onClick={() => void make()}>
            <Icon name="link" small />
            Make another
          </button>
        </>
      )}
      {mistake === null ? null : <FormMistake>{mistake}</FormMistake>}
    </div>
  );
}
