/** What people may send to the account calls: checked here, with a sentence for each mistake, before the library sees it. */
import { z } from "zod";
import { name } from "../contract/common";
import { PASSWORD_MAX, PASSWORD_MIN } from "./library";

/** Longest address in characters (RFC 5321). */
const EMAIL_MAX = 254;

const email = z
  .string("An email address is needed.")
  .trim()
  .toLowerCase()
  .max(EMAIL_MAX, "The email address is too long.")
  .pipe(z.email("This is not an email address."));
const newPassword = z
  .string("A password is needed.")
  .min(PASSWORD_MIN, `The password needs at least ${PASSWORD_MIN} characters.`)
  .max(PASSWORD_MAX, `The password may have at most ${PASSWORD_MAX} characters.`);
const givenPassword = z
  .string("A password is needed.")
  .min(1, "A password is needed.")
  .max(PASSWORD_MAX * 8);

export const signUpForm = z.object({
  name,
  email,
  password: newPassword,
  /** The secret of an invitation's link, where registration needs one. */
  invitation: z.string().max(200).optional(),
});
export const signInForm = z.object({ email, password: givenPassword });
export const changePasswordForm = z
  .object({ currentPassword: givenPassword, newPassword })
  .refine((form) => form.newPassword !== form.currentPassword, {
    path: ["newPassword"],
    message: "The new password is the current one.",
  });
export const renameForm = z.object({ name });
