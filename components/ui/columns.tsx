/** The heads of a table's columns: every table of the product says in one way what stands where. */

export interface Column {
  readonly head: string;
  /** Takes the room that the others leave. */
  readonly isWide?: boolean;
  /** Takes it on a phone, where the wide one is gone. */
  readonly isWideOnPhone?: boolean;
  /** Figures and buttons stand to the right. */
  readonly isRight?: boolean;
  /** Only where there is room for it. */
  readonly isFromTablet?: boolean;
  /** What stands in it speaks for itself; the head is for screen readers. */
  readonly isSilent?: boolean;
}

export function Columns({ of }: { of: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {of.map((column) => (
          <th key={column.head} scope="col" className={classOf(column)}>
            {column.isSilent ? <span className="sr">{column.head}</span> : column.head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function classOf({ isWide, isWideOnPhone, isRight, isFromTablet }: Column): string | undefined {
  const classes = [isWide && "wide", isWideOnPhone && "phone:w-[99%]", isRight && "r", isFromTablet && "phone:hidden"];
  return classes.filter(Boolean).join(" ") || undefined;
}
