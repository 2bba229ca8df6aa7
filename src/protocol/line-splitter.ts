/** Cuts a stream of text into lines, and never holds more than one of bounded length. */

/** A tool's whole output may be one line of JSON; what is longer is skipped and counted as unreadable. */
const LONGEST_LINE_CHARS = 4 * 1_024 * 1_024;

export class Lines {
  #rest = '';
  #skipping = false;

  /** The lines completed by `text`; one that was too long comes as `undefined`. */
  take(text: string): readonly (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      const completes = index < parts.length - 1;
      if (!this.#skipping) this.#rest += part;
      if (this.#rest.length > LONGEST_LINE_CHARS) {
        this.#skipping = true;
        this.#rest = '';
      }
      if (!completes) continue;
      lines.push(this.#skipping ? undefined : this.#rest);
      this.#rest = '';
      this.#skipping = false;
    }
    return lines;
  }
}
