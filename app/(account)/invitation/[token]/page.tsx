import type { Metadata } from "next";
import Link from "next/link";
import { AccountForm } from "@/components/account/account-form";
import { invitationVisit, visit } from "../../../visit";

export const metadata: Metadata = { title: "Invitation" };

interface InvitationPageProps {
  readonly params: Promise<{ token: string }>;
}

/** An invitation's link makes one account. Who has one already, or comes too late, is told so. */
export default async function InvitationPage({ params }: InvitationPageProps) {
  const { token } = await params;
  const visited = await visit();
  if (visited.kind === "visitor") {
    return (
      <Message title="You have an account already">
        {`You are signed in as ${visited.visitor.me.name}. The link makes a new account: an owner of the project can add you without it.`}
      </Message>
    );
  }
  const invitation = await invitationVisit(token);
  if (invitation.kind === "not-valid") {
    return (
      <Message title="This invitation is not valid any more">
        It was used, taken back, or is older than a week. Ask for a new one.
      </Message>
    );
  }
  const guest = invitation.kind === "open" ? { lead: leadOf(invitation), email: invitation.email } : {};
  return <AccountForm how="sign-up" next="/" isFirst={false} isClosed={false} invitation={token} {...guest} />;
}

function leadOf({ invitedBy, project }: { invitedBy: string; project: string | null }): string {
  return project === null ? `${invitedBy} invites you.` : `${invitedBy} invites you to ${project}.`;
}

function Message({ title, children }: { title: string; children: string }) {
  return (
    <main id="main" className="grid min-h-dvh place-items-center p-6">
      <div className="empty max-w-[420px]">
        <h1 className="font-semibold">{title}</h1>
        <span dir="auto">{children}</span>
        <Link className="btn" href="/">
          Go to the board
        </Link>
      </div>
    </main>
  );
}
