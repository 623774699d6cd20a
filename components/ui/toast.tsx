/** Short news at the edge of the screen, with at most one thing to do about it. The library is loaded with the first one. */
import { Icon, type IconName, Mark, type MarkName } from "./icon";
import { notThere } from "./on-demand";

interface Toast {
  readonly text: string;
  readonly icon?: IconName;
  readonly mark?: MarkName;
  readonly isBad?: boolean;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** How long news stands, in milliseconds; mistakes stand longer. */
const SHOWN_MS = { news: 5_000, mistake: 9_000 };

export function toast(news: Toast): void {
  void import("sonner").then(({ toast: library }) => {
    library.custom(
      (id) => (
        <div className="float toast">
          {news.mark === undefined ? null : <Mark name={news.mark} className={news.mark === "succeeded" ? "ok" : ""} />}
          {news.icon === undefined ? null : <Icon name={news.icon} className={news.isBad ? "bad" : ""} />}
          <span dir="auto" className="toast-text">
            {news.text}
          </span>
          {news.action === undefined ? null : (
            <button
              type="button"
              className="btn sm"
              onClick={() => {
                library.dismiss(id);
                news.action?.run();
              }}
            >
              {news.action.label}
            </button>
          )}
        </div>
      ),
      { duration: news.isBad ? SHOWN_MS.mistake : SHOWN_MS.news },
    );
  }, notThere);
}
