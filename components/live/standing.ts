/**
 * How a tab stands with the server, and since when: what is told to people, and when it is due. Knows nothing of what the
 * socket brings.
 */
import { heardServerTime, serverNow } from "./clock";

/** How long a server that said it restarts may be away before it counts as any other that is lost. */
const RESTART_MS = 10_000;
/** When a warning is due: a short cut is no news, a slow first connection means that the page may be old. */
const WARN_MS = { cut: 600, first: 2_500 };

export type ConnectionState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** `showing`: the last moment at which everything on the screen was known to be right (server time). */
  | { readonly kind: "reconnecting"; readonly showing: number }
  /** The server is there, but what it would read from does not answer. */
  | { readonly kind: "database-away"; readonly showing: number }
  | { readonly kind: "restarting"; readonly showing: number }
  | { readonly kind: "expired" }
  /** The account was deactivated: nothing of what was on the screen may be seen any more. */
  | { readonly kind: "deactivated" };

export class Standing {
  private readonly isConnected: () => boolean;
  private readonly listeners = new Set<() => void>();
  private state: ConnectionState = { kind: "connecting" };
  private lastHeard = 0;
  private isRestarting = false;
  private restart: ReturnType<typeof setTimeout> | null = null;
  private warning: ReturnType<typeof setTimeout> | null = null;

  /** `isConnected`: asked when a warning is due. */
  constructor(isConnected: () => boolean) {
    this.isConnected = isConnected;
  }

  readonly current = (): ConnectionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get isShutOut(): boolean {
    return this.state.kind === "expired" || this.state.kind === "deactivated";
  }

  begin(): void {
    this.lastHeard = serverNow();
    this.warnAfter(WARN_MS.first);
  }

  /** No timer rings any more. */
  end(): void {
    this.clearWarning();
    this.restartIsOver();
  }

  /** `at`: the server's time, where it said it. */
  heard(at?: string): void {
    if (at !== undefined) heardServerTime(Date.parse(at));
    this.lastHeard = serverNow();
  }

  connected(): void {
    this.restartIsOver();
    this.heard();
    this.become({ kind: "live" });
  }

  /** `answeredAt`: the last moment at which the database answered (server time); null: it does. */
  databaseIs(answeredAt: number | null): void {
    if (answeredAt === null && this.state.kind === "database-away") this.become({ kind: "live" });
    if (answeredAt !== null && this.isUnwarned) this.become({ kind: "database-away", showing: answeredAt });
  }

  willRestart(): void {
    this.isRestarting = true;
    this.become({ kind: "restarting", showing: serverNow() });
  }

  lost(): void {
    if (this.isRestarting) this.awaitRestart();
    else if (this.state.kind === "live" || this.state.kind === "database-away") this.doubted();
  }

  /** Nothing was heard where something was due. */
  doubted(): void {
    this.warnAfter(WARN_MS.cut);
  }

  /** A refused call does not say why; the server's last word, when there was one, did. */
  shutOut(): void {
    if (!this.isShutOut) this.become({ kind: "expired" });
  }

  deactivated(): void {
    this.become({ kind: "deactivated" });
  }

  private get isUnwarned(): boolean {
    return this.state.kind === "live" || this.state.kind === "connecting";
  }

  private awaitRestart(): void {
    this.become({ kind: "restarting", showing: this.lastHeard });
    this.restart ??= setTimeout(() => {
      this.restartIsOver();
      if (this.state.kind === "restarting") this.become({ kind: "reconnecting", showing: this.lastHeard });
    }, RESTART_MS);
  }

  private restartIsOver(): void {
    this.isRestarting = false;
    if (this.restart !== null) clearTimeout(this.restart);
    this.restart = null;
  }

  private warnAfter(delayMs: number): void {
    if (this.warning !== null) return;
    this.warning = setTimeout(() => {
      this.warning = null;
      const { kind } = this.state;
      // Since when nothing is new any more does not change by that.
      const showing = kind === "database-away" ? this.state.showing : this.lastHeard;
      if (!this.isConnected() && (this.isUnwarned || kind === "database-away"))
        this.become({ kind: "reconnecting", showing });
    }, delayMs);
  }

  private become(state: ConnectionState): void {
    if (state.kind === "live") this.clearWarning();
    if (state.kind === this.state.kind) return;
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private clearWarning(): void {
    if (this.warning !== null) clearTimeout(this.warning);
    this.warning = null;
  }
}
