"use client";
/** Everybody of the installation with what runs and waits for them, from the pool's one picture. */
import Link from "next/link";
import { usePool } from "../live/live-provider";
import { Invitations } from "../people/invitations";
import { PersonControls } from "../people/person-controls";
import { useMe, usePeople } from "../people/use-people";
import { countsOf } from "../pool/wording";
import { type Column, Columns } from "../ui/columns";
import { Avatar } from "../ui/person";

const COLUMNS: readonly Column[] = [
  { head: "Name", isWide: true },
  { head: "Role", isFromTablet: true },
  { head: "Running", isRight: true },
  { head: "Limit", isRight: true, isFromTablet: true },
  { head: "Queued", isRight: true, isFromTablet: true },
];
const CHANGE: Column = { head: "Change", isRight: true, isSilent: true };

export function PeoplePage() {
  const { all } = usePeople();
  const pool = usePool();
  const me = useMe();
  const isAdmin = me?.role === "admin";
  return (
    <main id="main" className="page">
      <div className="page-head">
        <h1>People</h1>
        <span className="faint">{all.length}</span>
      </div>
      <section className="panel overflow-x-auto" aria-label="People">
        <table className="tbl">
          <Columns of={isAdmin ? [...COLUMNS, CHANGE] : COLUMNS} />
          <tbody>
            {all.map((person) => {
              const counts = pool === undefined ? person : countsOf(pool, person.id);
              return (
                <tr key={person.id} className={person.id === me?.id ? "you" : ""}>
                  <td className="wide">
                    <span className="flex items-center gap-2">
                      <Avatar userId={person.id} name={person.name} you={person.id === me?.id} />
                      <Link href={`/people/${person.id}`} dir="auto" className="cut">
                        {person.name}
                      </Link>
                    </span>
                  </td>
                  <td className="dim phone:hidden">{roleOf(person)}</td>
                  <td className="r hidden phone:table-cell">
                    <b>
                      {counts.running}/{counts.max}
                    </b>{" "}
                    +{counts.queued}
                  </td>
                  <td className="r phone:hidden">{counts.running}</td>
                  <td className="r phone:hidden">{counts.max}</td>
                  <td className="r phone:hidden">{counts.queued}</td>
                  {isAdmin ? (
                    <td className="r">
                      <PersonControls person={person} />
                    </td>
                  ) : null}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      {isAdmin ? <Invitations /> : null}
    </main>
  );
}

function roleOf({ role, active }: { role: "admin" | "member"; active: boolean }): string {
  if (!active) return "deactivated";
  return role === "admin" ? "administrator" : "member";
}
