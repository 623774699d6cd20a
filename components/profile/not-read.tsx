/** In the place of figures that the server could not tell: that it is so, why, and another try. Nothing vanishes without a word. */
import { sentenceOf } from "../api";

interface NotReadProps {
  readonly title: string;
  readonly error: Error;
  /** Asks again; `isAsking` while there is no answer yet. */
  readonly again: () => void;
  readonly isAsking: boolean;
}

export function NotRead({ title, error, again, isAsking }: NotReadProps) {
  return (
    <section className="panel panel-body" aria-label={title} aria-busy={isAsking || undefined}>
      <div className="figure">
        <h2>{title}</h2>
      </div>
      <p role="alert">It cannot be shown: {sentenceOf(error)}</p>
      <button type="button" className="btn sm mt-3" disabled={isAsking} onClick={again}>
        Try again
      </button>
    </section>
  );
}
