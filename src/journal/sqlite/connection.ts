/** An open journal file. */
import type { DatabaseSync } from 'node:sqlite';

export interface Connection {
  readonly path: string;
  readonly db: DatabaseSync;
  /** Throws `journal.busy` if what was just read may have been changed underneath, which locks rule out in most modes. */
  readonly assertSteady: () => void;
}
