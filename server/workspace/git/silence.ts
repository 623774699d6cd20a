/**
 * Notices that git waits for another machine that says nothing. Whatever git tells meanwhile (its progress, the other end's
 * own words) is a sign of life; what it does alone once everything has arrived may take its time in silence.
 */

/** In git's own words: nothing more is waited for. */
const ARRIVED = /(?:Receiving|Unpacking) objects: 100%/;

export class Silence {
  private readonly timer: NodeJS.Timeout;

  /** `tooLong` is called once, when nothing was heard for `limitMs`. */
  constructor(limitMs: number, tooLong: () => void) {
    this.timer = setTimeout(tooLong, limitMs);
  }

  /** `told`: the end of what git has told so far. */
  heard(told: string): void {
    if (ARRIVED.test(told)) this.end();
    else this.timer.refresh();
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
