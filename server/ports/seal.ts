/** Closes texts with the installation's secret, so that whoever copies rows or files without it reads nothing. */
export interface Seal {
  /** `about`: what the text belongs to; it opens only there. */
  close(text: string, about: string): string;
  /** Null: it was sealed with another secret, about something else, or was changed. */
  open(sealed: string, about: string): string | null;
}
