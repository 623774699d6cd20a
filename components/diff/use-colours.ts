/** The syntax colours of a file's lines, once they are there; lines are readable before. */
import { useEffect, useState } from "react";
import type { ContentLine, PatchLine } from "./patch";
import type { Coloured } from "./syntax";

export type Colours = ReadonlyMap<ContentLine, readonly Coloured[]>;

const NONE: Colours = new Map();

export function useColours(path: string, lines: readonly PatchLine[]): Colours {
  const [found, setFound] = useState<{ readonly lines: readonly PatchLine[]; readonly colours: Colours } | null>(null);
  useEffect(() => {
    let isOver = false;
    import("./syntax")
      .then(({ colourLines }) => colourLines(path, lines, () => isOver))
      .then(
        (colours) => {
          if (!isOver) setFound({ lines, colours });
        },
        () => {
          // Without the network that would bring them, the lines stay plain.
        },
      );
    return () => {
      isOver = true;
    };
  }, [path, lines]);
  return found?.lines === lines ? found.colours : NONE;
}
