/**
 * Seals texts that must not stand in rows and files as they are: AES-256-GCM, with a key made from the installation's secret. What a
 * text is about (its row, its file) is sealed with it, so that nobody can copy it to another one and have it opened there.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Seal } from "../ports/seal";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Says how it was made, for a release that does it otherwise. */
const FORM = "v1:";

export function createSeal(secret: string): Seal {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "camelot sealed rows", KEY_BYTES));
  return {
    close(text, about) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return FORM + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed.startsWith(FORM) ? sealed.slice(FORM.length) : "", "base64");
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const tagEnd = NONCE_BYTES + TAG_BYTES;
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
        decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
        return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
