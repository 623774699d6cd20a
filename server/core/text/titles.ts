/** How long a task's title may be: asked by the API, and by the form before it sends. */

/** In characters as browsers count them, without white space around it. */
export const TITLE_MAX_CHARS = 10_000;

export const TITLE_TOO_LONG = `A title can have ${TITLE_MAX_CHARS.toLocaleString("en")} characters at most.`;
