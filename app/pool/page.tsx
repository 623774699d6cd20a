import type { Metadata } from "next";
import { PoolPage } from "@/components/pool/pool-page";

export const metadata: Metadata = { title: "Pool" };

export default function Page() {
  return <PoolPage />;
}
