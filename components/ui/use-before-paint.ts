import { useEffect, useLayoutEffect } from "react";

/** An effect on what is measured or has the focus. The server renders no layout, so there is nothing to do before it is seen. */
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;
