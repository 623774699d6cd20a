/** Where news appears (`ui/toast.ts`), and what it looks like. Its code comes soon after the page, never at the moment of the news. */
import { useEffect } from "react";
import { toast as library, Toaster } from "sonner";
import { Icon, Mark } from "../ui/icon";
import { drawToasts, type Toast } from "../ui/toast";

/** How long news stands, in milliseconds; mistakes stand longer. */
const SHOWN_MS = { news: 5_000, mistake: 9_000 };

export function News() {
  useEffect(() => drawToasts(show), []);
  return <Toaster position="bottom-right" visibleToasts={4} gap={8} toastOptions={{ unstyled: true }} />;
}

function show({ text, icon, mark, isBad = false, action }: Toast): void {
  library.custom(
    (id) => (
      <div className="float toast">
        {mark === undefined ? null : <Mark name={mark} className={mark === "succeeded" ? "ok" : ""} />}
        {icon === undefined ? null : <Icon name={icon} className={isBad ? "bad" : ""} />}
        <span className="toast-text">{text}</span>
        {action === undefined ? null : (
          <button
            type="button"
            className="btn sm"
            onClick={() => {
              library.dismiss(id);
              action.run();
            }}
          >
            {action.label}
          </button>
        )}
      </div>
    ),
    { duration: isBad ? SHOWN_MS.mistake : SHOWN_MS.news },
  );
}
