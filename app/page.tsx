import { FirstStop } from "@/components/project/first-stop";

/** Where to go first: the guide while there is no project, else the board one was on last. */
export default function HomePage() {
  return <FirstStop />;
}
