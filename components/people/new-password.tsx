/** Somebody's new password, told once, for the administrator who made it. */
import { Dialog } from "../ui/dialog";
import { ShownOnce } from "../ui/shown-once";
import { inSentence } from "../ui/written";

interface NewPasswordProps {
  readonly name: string;
  readonly password: string;
  readonly close: () => void;
}

export function NewPassword({ name, password, close }: NewPasswordProps) {
  return (
    <Dialog title={`The new password of ${inSentence(name)}`} close={close}>
      <div className="flex flex-wrap items-center gap-2">
        <ShownOnce
          label="New password"
          value={password}
          hint="It is shown only now: send it yourself. They change it on their Account page."
        />
      </div>
      <div className="foot">
        <button type="button" className="btn" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
