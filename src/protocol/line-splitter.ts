/** Splits a text stream into lines. Imports no schemas, because the dashboard loads this module. */

/**
 * Large, because a tool's whole output may be one line of JSON. Lines longer than this are skipped
 * and counted as unreadable.
 */
const MAX_LINE_CHARS = 4 * 1_024 * 1_024;

/** Splits a stream into lines. Never buffers more than one line, whose length is limited. */
export class LineSplitter {
  #rest = '';
  #skipping = false;

  /**
   * Returns the lines that `text` completes. A line that is too long is returned as `undefined`.
   */
  take(text: string): readonly (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    const parts = text.split('\n');
    for (const [index, part] of parts.entries()) {
      const completes = index < parts.length - 1;
      if (!this.#skipping) this.#rest += part;
      if (this.#rest.length > MAX_LINE_CHARS) {
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
