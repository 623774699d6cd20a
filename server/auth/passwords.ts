/** A way back for whoever lost their password (S1): a new one, made here and told once; kept as a hash like any other. */
import { randomInt } from "node:crypto";
import type { Passwords } from "../ports/access";
import type { Library } from "./library";

/** Without letters and digits that are taken for each other when somebody reads them out: 0 and O, 1 and l and I. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 20;

export function createPasswords(library: Library): Passwords {
  return {
    async renew(userId) {
      const { password, internalAdapter } = await library.$context;
      const made = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
      await internalAdapter.updatePassword(userId, await password.hash(made));
      // After it: from here on nobody comes in with the old one. Each end is heard by its sockets.
      await internalAdapter.deleteUserSessions(userId);
      return made;
    },
  };
}
