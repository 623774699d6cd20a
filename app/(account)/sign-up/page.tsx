import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AccountForm } from "@/components/account/account-form";
import { ownPath } from "@/components/account/own-path";
import { registration, visit } from "../../visit";

export const metadata: Metadata = { title: "Create an account" };

interface SignUpPageProps {
  readonly searchParams: Promise<{ next?: string; invitation?: string }>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const { next, invitation } = await searchParams;
  if ((await visit()).kind === "visitor") redirect(ownPath(next));
  const { isFirst, isClosed } = await registration();
  return (
    <AccountForm how="sign-up" next={ownPath(next)} isFirst={isFirst} isClosed={isClosed} invitation={invitation} />
  );
}
