/** In which way a repository is given, and what is said of one that is given in none. Used by forms, too. */

export type RepositoryKind = "sample" | "folder" | "address";

const SAMPLE = "sample";
const URL_WITH_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** user@host:path, as git and ssh write it. */
const HOST_AND_PATH = /^[^\s/@]+@[^\s/:]+:/;

/** Null: in none of them. */
export function kindOf(repository: string): RepositoryKind | null {
  if (repository === SAMPLE) return "sample";
  if (repository.startsWith("/")) return "folder";
  return URL_WITH_SCHEME.test(repository) || HOST_AND_PATH.test(repository) ? "address" : null;
}

/** For people who gave something else where one of these belongs. */
export const WHAT_FITS: Readonly<Record<Exclude<RepositoryKind, "sample">, string>> = {
  folder: "Give the folder's full path, beginning with /.",
  address: "Give an address that begins with https://, http://, ssh:// or file://, or git@host:path.",
};

/** What comes behind the host: a login before it belongs in no name. */
const PATH_OF_ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*\/|[^\s/@]+@[^\s/:]+:)(.*)$/i;

/** What a project of this repository may be called: the last part of its path; empty: none is known. */
export function nameOfRepository(repository: string): string {
  const path = repository.startsWith("/") ? repository : (PATH_OF_ADDRESS.exec(repository)?.[1] ?? "");
  const parts = path.replace(/\/+$/, "").split("/");
  return (parts.at(-1) ?? "").replace(/\.git$/, "").trim();
}
