import type { Metadata } from "next";
import { AccountForm } from "@/components/account/account-form";
import { ownPath } from "@/components/account/own-path";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  readonly searchParams: Promise<{ next?: string; invitation?: string }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, invitation } = await searchParams;
  return <AccountForm how="sign-in" next={ownPath(next)} isFirst={false} invitation={invitation} />;
}
