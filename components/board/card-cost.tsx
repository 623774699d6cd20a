/** What a card's session cost, at the end of its note. A dash alone says nothing: what it is, one reads and hears. */
import type { ReactNode } from "react";
import { UNKNOWN_COST } from "../ui/cost";

export function CardCost({ cost }: { cost: string }): ReactNode {
  if (cost !== UNKNOWN_COST) return <span>{cost}</span>;
  return (
    <span title="Cost unknown: the agent did not tell it.">
      <span aria-hidden="true">{cost}</span>
      <span className="sr">cost unknown</span>
    </span>
  );
}
