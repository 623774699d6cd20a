"use client";
/** What an administrator sees where others find nothing: they may join, which is written down (S2). */
import Link from "next/link";
import { useState } from "react";
import { client, sentenceOf } from "../api";
import { FormMistake } from "../ui/field";

export function JoinProject({ projectId, userId }: { projectId: string; userId: string }) {
  const [mistake, setMistake] = useState<string | null>(null);
  const join = async () => {
    try {
      await client.projects.setMember({ id: projectId, userId, role: "member" });
      globalThis.location.reload();
    } catch (error) {
      setMistake(sentenceOf(error));
    }
  };
  return (
    <main id="main" className="grid min-h-[60vh] place-items-center p-6">
      <div className="empty max-w-[420px]">
        <h1 className="font-semibold">This is not here</h1>
        <span>
          It was removed, or you are not a member of its project. As an administrator you may join a project; that is
          written to the server’s log, and its members see you among them.
        </span>
        <span className="flex gap-2">
          <Link className="btn" href="/">
            Go to the board
          </Link>
          <button type="button" className="btn" onClick={() => void join()}>
            Join the project
          </button>
        </span>
        <FormMistake>{mistake}</FormMistake>
      </div>
    </main>
  );
}
