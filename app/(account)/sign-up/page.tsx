import type { Metadata } from "next";
import { AccountForm } from "@/components/account/account-form";
import { ownPath } from "@/components/account/own-path";

export const metadata: Metadata = { title: "Create an account" };

interface SignUpPageProps {
  readonly searchParams: Promise<{ next?: string; invitation?: string }>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const { next, invitation } = await searchParams;
  return <AccountForm how="sign-up" next={ownPath(next)} isFirst={false} invitation={invitation} />;
}
