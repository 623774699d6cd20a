/**
 * Keeps in the database which data directory it is used with (P19). What runs is found in that directory: a server with
 * another one would find nothing, declare living agents lost and grant over the caps, so it is refused before it serves.
 */
import { StartRefused } from "../ports/start-refused";
import { type Asking, askWithin, SMALL_THINGS_S } from "./ask-within";
import { isLeaseHeld } from "./lease-store";

const ID = "data-directory";
/** Where it last stood: for the refusal only, a directory may move. */
const PLACE = "data-directory-place";

export interface DataDirectory {
  readonly id: string;
  readonly place: string;
}

/**
 * Refuses a database of another data directory, and changes nothing. Call it after the migrations and before the secret is
 * looked at: another directory mostly has another secret too, and which directory is meant is what a person has to know.
 */
export async function refuseOtherDataDir(url: string, ours: DataDirectory): Promise<void> {
  await askWithin(url, SMALL_THINGS_S, async (sql) => {
    const [known] = await sql`select value from installation where key = ${ID}`;
    if (known !== undefined && known.value !== ours.id) throw new StartRefused(await refusal(sql, ours));
  });
}

/**
 * `mayAdopt`: this data directory takes the database over, which is refused while a server writes to it. Call it after the
 * migrations and after the secret was found right.
 */
export async function checkDataDir(
  url: string,
  ours: DataDirectory,
  mayAdopt: boolean,
): Promise<"same" | "first" | "adopted"> {
  return askWithin(url, SMALL_THINGS_S, async (sql) => {
    const write = (key: string, value: string) => sql`
      insert into installation (key, value) values (${key}, ${value})
      on conflict (key) do update set value = excluded.value where installation.value <> excluded.value`;
    const [first] = await sql`
      insert into installation (key, value) values (${ID}, ${ours.id}) on conflict (key) do nothing returning key`;
    const [known] = await sql`select value from installation where key = ${ID}`;
    const isOurs = known?.value === ours.id;
    if (!isOurs) {
      if (!mayAdopt) throw new StartRefused(await refusal(sql, ours));
      if (await isLeaseHeld(url)) {
        throw new StartRefused(
          "CAMELOT_ADOPT_DATABASE: a server with another data directory writes to this database, or did seconds ago: end it first.",
        );
      }
      await write(ID, ours.id);
    }
    await write(PLACE, ours.place);
    if (first) return "first";
    return isOurs ? "same" : "adopted";
  });
}

async function refusal(sql: Asking, ours: DataDirectory): Promise<string> {
  const [known] = await sql`select value from installation where key = ${PLACE}`;
  const theirs = known ? `last at ${known.value}, ` : "";
  return `This database belongs to another data directory (${theirs}not ${ours.place}): start with its CAMELOT_DATA_DIR, set another DATABASE_URL, or, when that directory is lost for good, start once with CAMELOT_ADOPT_DATABASE=1.`;
}
