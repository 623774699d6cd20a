"use client";
/** Who is a member of a project, and adding somebody. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Member, Project } from "@/server/contract/projects";
import { api, client, sentenceOf } from "../api";
import { type Confirmation, confirming } from "../confirming";
import { usePoolNow } from "../live/live-provider";
import { InviteForm } from "../people/invite-form";
import { useMe, usePeople } from "../people/use-people";
import { endsWithIt } from "../pool/ending";
import { ask } from "../ui/ask";
import { FormMistake } from "../ui/field";
import { Icon } from "../ui/icon";
import { Avatar } from "../ui/person";
import { toast } from "../ui/toast";
import { inSentence } from "../ui/written";
import { OwnersOnly } from "./owners-only";

export function Members({ project }: { project: Project }) {
  const options = api.projects.members.queryOptions({ input: { id: project.id } });
  const { data } = useQuery(options);
  const cache = useQueryClient();
  const refresh = () => cache.invalidateQueries({ queryKey: options.queryKey });
  const members = data?.items ?? [];
  const isOwner = project.role === "owner";
  return (
    <section className="panel" aria-labelledby="members-head">
      <div className="panel-head">
        <h2 id="members-head">Members</h2>
        <span className="dim">{members.length}</span>
        <OwnersOnly project={project} />
      </div>
      <ul className="rows">
        {members.map((member) => (
          <MemberRow key={member.userId} project={project} member={member} isOwner={isOwner} refresh={refresh} />
        ))}
      </ul>
      {isOwner ? <AddMember project={project} members={members} refresh={refresh} /> : null}
      {isOwner ? <InviteForm projectId={project.id} made={refresh} /> : null}
    </section>
  );
}

interface MemberRowProps {
  readonly project: Project;
  readonly member: Member;
  readonly isOwner: boolean;
  readonly refresh: () => Promise<void>;
}

function MemberRow({ project, member, isOwner, refresh }: MemberRowProps) {
  const me = useMe();
  const poolNow = usePoolNow();
  const isMe = member.userId === me?.id;
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work();
      await refresh();
    } catch (error) {
      toast({ icon: "alert", isBad: true, text: sentenceOf(error) });
    }
  };
  const remove = async () => {
    const ending = endsWithIt(poolNow(), project.id, member.userId);
    const isSure = await ask({
      title: isMe ? `Leave ${inSentence(project.name)}?` : `Remove ${inSentence(member.name)}?`,
      text: `${
        isMe
          ? "You lose this board until an owner adds you again. Your tasks and their branches stay."
          : "They lose this board until an owner adds them again. Their tasks and branches stay."
      }${ending}`,
      yes: isMe ? "Leave" : "Remove",
      no: "Cancel",
    });
    if (!isSure) return;
    const params = { id: project.id, userId: member.userId };
    const title = isMe ? "You have sessions here" : `${inSentence(member.name)} has sessions here`;
    const again = { title, yes: isMe ? "Leave" : "Remove", no: "Cancel" };
    const removing = (query: Confirmation) => client.projects.removeMember({ params, query });
    await attempt(() => confirming(again, removing, ending !== ""));
  };
  return (
    <li className="py-1">
      <Avatar userId={member.userId} name={member.name} you={isMe} />
      <span className="cut" dir="auto">
        {member.name}
      </span>
      <span className="cut faint shrink-[100]">{member.email}</span>
      <span className="end flex items-center gap-2">
        {isOwner ? (
          <span className="field">
            <select
              aria-label={`Role of ${inSentence(member.name)}`}
              value={member.role}
              onChange={(event) => {
                const role = event.target.value === "owner" ? "owner" : "member";
                void attempt(() => client.projects.setMember({ id: project.id, userId: member.userId, role }));
              }}
            >
              <option value="owner">owner</option>
              <option value="member">member</option>
            </select>
          </span>
        ) : (
          <span className="dim">{member.role}</span>
        )}
        {isOwner || isMe ? (
          <button
            type="button"
            className="btn sm ghost icon"
            aria-label={isMe ? "Leave the project" : `Remove ${inSentence(member.name)}`}
            onClick={() => void remove()}
          >
            <Icon name="x" small />
          </button>
        ) : null}
      </span>
    </li>
  );
}

interface AddMemberProps {
  readonly project: Project;
  readonly members: readonly Member[];
  readonly refresh: () => Promise<void>;
}

function AddMember({ project, members, refresh }: AddMemberProps) {
  const { all } = usePeople();
  const others = all.filter(({ id, active }) => active && !members.some(({ userId }) => userId === id));
  const [chosen, setChosen] = useState("");
  const add = useMutation(
    api.projects.setMember.mutationOptions({
      onSuccess: async () => {
        setChosen("");
        await refresh();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen !== "") add.mutate({ id: project.id, userId: chosen, role: "member" });
  };
  return (
    <form className="panel-foot flex-wrap" onSubmit={submit}>
      <span className="field flex-1">
        <select aria-label="Person to add" value={chosen} onChange={(event) => setChosen(event.target.value)}>
          <option value="">{others.length === 0 ? "Everybody is a member" : "Add somebody…"}</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </span>
      <button type="submit" className="btn" disabled={chosen === "" || add.isPending}>
        Add
      </button>
      <p className="hint m-0! w-full">
        <Icon name="alert" small className="inline-block align-[-2px]" /> Whoever may dispatch may run code as the
        server’s user.
      </p>
      <FormMistake>{add.error === null ? null : sentenceOf(add.error)}</FormMistake>
    </form>
  );
}
