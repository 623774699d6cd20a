import type { Metadata } from "next";
import { AccountForm } from "@/components/account/account-form";
import { InvitationForMe, NotValid } from "@/components/people/invitation-for-me";
import { invitationVisit, visit } from "../../../visit";

export const metadata: Metadata = { title: "Invitation" };

interface InvitationPageProps {
  readonly params: Promise<{ token: string }>;
}

/** An invitation's link makes one account; whoever has one already joins with one press. */
export default async function InvitationPage({ params }: InvitationPageProps) {
  const { token } = await params;
  const [visited, invitation] = await Promise.all([visit(), invitationVisit(token)]);
  if (visited.kind === "visitor") {
    const { me, projects } = visited.visitor;
    const mine = (await projects()).map(({ id }) => id);
    return <InvitationForMe secret={token} invitation={invitation} me={me} mine={mine} />;
  }
  if (invitation.kind === "not-valid") return <NotValid />;
  const guest = invitation.kind === "open" ? { lead: leadOf(invitation), email: invitation.email } : {};
  return (
    <AccountForm
      how="sign-up"
      next="/"
      isFirst={false}
      isClosed={false}
      invitation={token}
      signInNext={`/invitation/${token}`}
      {...guest}
    />
  );
}

function leadOf({ invitedBy, project }: { invitedBy: string; project: { name: string } | null }): string {
  return project === null
    ? `${invitedBy} invites you, into no project yet: its owner adds you once you have an account.`
    : `${invitedBy} invites you to ${project.name}.`;
}
