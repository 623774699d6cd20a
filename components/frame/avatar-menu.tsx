"use client";
/** One's own menu; what is in it is fetched when it is opened. */
import { useRouter } from "next/navigation";
import { useMe } from "../people/use-people";
import { openMenu } from "../ui/menu";
import { notThere } from "../ui/on-demand";
import { hueStyle, initialsOf } from "../ui/person";
import { inSentence } from "../ui/written";

const loadEntries = () => import("./avatar-entries");

export function AvatarMenu() {
  const me = useMe();
  const router = useRouter();
  if (me === undefined) return <span className="ava md" aria-hidden="true" />;
  const open = (anchor: HTMLElement) => {
    const show = ({ avatarEntries }: Awaited<ReturnType<typeof loadEntries>>) =>
      openMenu(anchor, "Your menu", avatarEntries(me.id, router.push));
    loadEntries().then(show, notThere);
  };
  return (
    <button
      type="button"
      className="ava u md you"
      style={hueStyle(me.id)}
      aria-haspopup="menu"
      aria-label={`${inSentence(me.name)}, your menu`}
      onClick={(event) => open(event.currentTarget)}
    >
      {initialsOf(me.name)}
    </button>
  );
}
