/**
 * Keeps in the database which secret it is used with, as a fingerprint that does not tell the secret. A server with another
 * one would sign everybody out and could not read what is encrypted, so it is refused before it serves.
 */
import { createHmac } from "node:crypto";
import { StartRefused } from "../ports/start-refused";
import { askWithin, SMALL_THINGS_S } from "./ask-within";

const KEY = "secret-fingerprint";

/**
 * `isLost`: the data directory that belongs to this database had no secret any more, so a new one takes over; people sign
 * in again. Call it after the migrations.
 */
export async function checkSecret(
  url: string,
  secret: string,
  isLost: boolean,
): Promise<"same" | "first" | "replaced"> {
  const fingerprint = createHmac("sha256", secret).update("camelot").digest("hex");
  return askWithin(url, SMALL_THINGS_S, async (sql) => {
    const [first] = await sql`
      insert into installation (key, value) values (${KEY}, ${fingerprint}) on conflict (key) do nothing returning key`;
    if (first) return "first";
    const [known] = await sql`select value from installation where key = ${KEY}`;
    if (known?.value === fingerprint) return "same";
    if (!isLost) {
      throw new StartRefused(
        `The secret is not the one this database was used with: set CAMELOT_SECRET to the former one (lost for good: delete the row "${KEY}" of the table "installation").`,
      );
    }
    await sql`update installation set value = ${fingerprint} where key = ${KEY}`;
    return "replaced";
  });
}
