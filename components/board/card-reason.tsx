/** `Mira’s limit 2/2 · #12 is running`: where room is short the name gives way first; the avatar above it tells it too. */
import { firstNameOf } from "../ui/person";
import { inSentence } from "../ui/written";

/** A shorter name leaves no room that were worth its letters. */
const GIVES_WAY_FROM = 6;

interface CardReasonProps {
  readonly reason: string;
  /** Of whom it is about. */
  readonly personName: string;
}

export function CardReason({ reason, personName }: CardReasonProps) {
  const name = inSentence(firstNameOf(personName));
  if (name.length < GIVES_WAY_FROM || !reason.startsWith(`${name}’s `)) return reason;
  return (
    <span className="card-reason">
      <span className="cut">{name}</span>
      <span className="cut">{reason.slice(name.length)}</span>
    </span>
  );
}
