import { redirect } from "next/navigation";
import { FirstStop } from "@/components/project/first-stop";
import { registration, visit } from "./visit";

/** Where to go first: an account, the guide while there is no project, else the board one was on last. */
export default async function HomePage() {
  const visited = await visit();
  if (visited.kind === "nobody") redirect((await registration()).isFirst ? "/sign-up" : "/sign-in");
  return <FirstStop />;
}
