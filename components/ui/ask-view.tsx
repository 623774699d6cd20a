/** Draws the one open question. */
import { type Question, questionSlot } from "./ask";
import { Dialog } from "./dialog";

export function AskView({ question }: { question: Question }) {
  const end = (isYes: boolean) => {
    questionSlot.close();
    question.answer(isYes);
  };
  const { instead, items = [] } = question;
  const listed = isNamed(question) ? [] : items;
  return (
    <Dialog title={question.title} close={() => end(false)} isAlert>
      <p id="dialog-text">{question.text}</p>
      {listed.length === 0 ? null : (
        <ul className="mono mt-2.5 grid gap-1 max-h-48 overflow-auto">
          {listed.map((item) => (
            <li key={item} dir="auto" className="[overflow-wrap:anywhere]">
              {item}
            </li>
          ))}
        </ul>
      )}
      <div className="foot">
        {/* biome-ignore lint/a11y/noAutofocus: in a dialog that stops or deletes, the safe button has the focus */}
        <button type="button" className="btn" autoFocus onClick={() => end(false)}>
          {question.no}
        </button>
        {instead === undefined ? null : (
          <button
            type="button"
            className="btn"
            onClick={() => {
              end(false);
              instead.run(items);
            }}
          >
            {instead.label}
          </button>
        )}
        <button
          type="button"
          className={question.isHarmless ? "btn ink" : "btn danger solid"}
          onClick={() => end(true)}
        >
          {question.yes}
        </button>
      </div>
    </Dialog>
  );
}

/** The only item stands in the sentence already, in the server's quotation marks. */
function isNamed({ text, items = [] }: Question): boolean {
  return items.length === 1 && text.includes(`“${items[0]}”`);
}
