/**
 * The tabs of one browser among each other (B14): one of them tells, all of them count what has not been seen, and what the
 * tab in front shows counts as seen. The browser's lock says which one tells; it goes to another tab when that one closes.
 */
import type { KeptNotices } from "./kept";
import { isShownAt, type Notice, type Place } from "./notices";

type Message =
  | { readonly kind: "told"; readonly notice: Notice }
  | { readonly kind: "seen"; readonly ids: readonly string[] }
  /** What the tab in front shows; null: this tab is no longer in front. */
  | ({ readonly kind: "front" } & Front)
  /** From a tab that has just been opened. */
  | { readonly kind: "hello" }
  | { readonly kind: "known"; readonly notices: readonly Notice[] };

interface Front {
  /** One of each. */
  readonly tab: string;
  readonly place: Place | null;
}

const NAME = "camelot-notices";

export interface TabHelp {
  /** Tabs of another person are none of this one's. */
  readonly personId: string;
  readonly kept: KeptNotices;
  /** What this tab shows, if it is in front. */
  readonly placeNow: () => Place | null;
  readonly changed: (unseen: readonly Notice[]) => void;
  /** Told by the one tab that tells. */
  readonly tell: (notice: Notice) => void;
  /** Missing where the page is not served safely; then there are no notifications of the browser either. */
  readonly locks: Pick<LockManager, "request"> | undefined;
}

export class NoticeTabs {
  isTeller: boolean;
  private unseen: readonly Notice[] = [];
  private front: Front | null = null;
  private readonly tab = String(Math.random());
  private readonly help: TabHelp;
  private readonly name: string;
  private readonly channel: BroadcastChannel;
  private readonly end = new AbortController();

  constructor(help: TabHelp) {
    this.help = help;
    this.name = `${NAME}-${help.personId}`;
    this.channel = new BroadcastChannel(this.name);
    this.isTeller = help.locks === undefined;
    this.unseen = help.kept.read();
    if (this.unseen.length > 0) help.changed(this.unseen);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => this.hear(data);
    this.say({ kind: "hello" });
    this.look();
    this.takeTurn();
  }

  /** Of the one tab that tells; nothing when the page in question is in front, in whichever tab. */
  add(notice: Notice): void {
    const place = this.help.placeNow() ?? this.front?.place ?? null;
    if (place !== null && isShownAt(notice, place)) return;
    if (!this.hold([notice])) return;
    this.say({ kind: "told", notice });
    this.help.tell(notice);
  }

  /** Something about this tab has changed: what it shows, or whether it is in front. */
  look(): void {
    const place = this.help.placeNow();
    const now: Front = { tab: this.tab, place };
    if (place !== null || this.front?.tab === this.tab) this.say({ kind: "front", ...now });
    this.come(now);
    this.see(place);
  }

  seen(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.drop(ids);
    this.say({ kind: "seen", ids });
  }

  close(): void {
    this.end.abort();
    this.channel.close();
  }

  private hear(message: Message): void {
    switch (message.kind) {
      case "told":
        this.hold([message.notice]);
        this.see(this.help.placeNow());
        return;
      case "seen":
        this.drop(message.ids);
        return;
      case "front":
        this.come(message);
        return;
      case "hello": {
        const place = this.help.placeNow();
        if (place !== null) this.say({ kind: "front", tab: this.tab, place });
        if (this.unseen.length > 0) this.say({ kind: "known", notices: this.unseen });
        return;
      }
      case "known":
        this.hold(message.notices);
        this.see(this.help.placeNow());
        return;
      default:
        message satisfies never;
    }
  }

  /** What is shown here, in front, has been seen. */
  private see(place: Place | null): void {
    if (place !== null) this.seen(this.unseen.filter((notice) => isShownAt(notice, place)).map(({ id }) => id));
  }

  /** A tab that goes may say so after the one that came. */
  private come({ tab, place }: Front): void {
    if (place !== null) this.front = { tab, place };
    else if (this.front?.tab === tab) this.front = null;
  }

  /** False: it was known. */
  private hold(notices: readonly Notice[]): boolean {
    const news = notices.filter(({ id }) => !this.unseen.some((known) => known.id === id));
    if (news.length === 0) return false;
    this.unseen = [...this.unseen, ...news];
    this.help.kept.add(news);
    this.help.changed(this.unseen);
    return true;
  }

  private drop(ids: readonly string[]): void {
    this.help.kept.remove(ids);
    const left = this.unseen.filter(({ id }) => !ids.includes(id));
    if (left.length === this.unseen.length) return;
    this.unseen = left;
    this.help.changed(left);
  }

  private say(message: Message): void {
    this.channel.postMessage(message);
  }

  /** Waits for the lock as long as the tab lives, and keeps it. */
  private takeTurn(): void {
    const { signal } = this.end;
    this.help.locks
      ?.request(this.name, { signal }, () => {
        this.isTeller = true;
        return new Promise<void>((release) => signal.addEventListener("abort", () => release()));
      })
      .catch(() => {
        // The tab was closed while it waited.
      });
  }
}
