/** `+30,009 −12`: lines that were added and removed, the same wherever they are counted. */

interface LineCountsProps {
  readonly added: number;
  readonly removed: number;
}

export function LineCounts({ added, removed }: LineCountsProps) {
  return (
    <>
      <span className="add">+{added.toLocaleString("en")}</span>{" "}
      <span className="del">−{removed.toLocaleString("en")}</span>
    </>
  );
}
