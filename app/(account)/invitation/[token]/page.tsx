import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountForm } from "@/components/account/account-form";
import { visit } from "../../../visit";

export const metadata: Metadata = { title: "Invitation" };

interface InvitationPageProps {
  readonly params: Promise<{ token: string }>;
}

/** An invitation's link makes one account; who has one already goes to their board. */
export default async function InvitationPage({ params }: InvitationPageProps) {
  if ((await visit()).kind === "visitor") redirect("/");
  const { token } = await params;
  return <AccountForm how="sign-up" next="/" isFirst={false} isClosed={false} invitation={token} />;
}
