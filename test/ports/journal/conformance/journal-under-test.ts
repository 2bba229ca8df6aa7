/** What the suite needs of a store to put a journal on it through its paces. */
import type { Journal } from '../../../../src/journal/journal.ts';

export interface JournalHarness {
  /** A handle on a new, empty journal, which from now on is the present one. */
  fresh(): Promise<Journal>;
  /** One more handle on the present journal, as a second process or a restarted one would have. */
  reopen(): Promise<Journal>;
  /** Changes what is stored, behind the journal's back. */
  readonly tamper: Tamper;
  /** Closes every handle and removes every journal. */
  dispose(): Promise<void>;
}

interface Tamper {
  setBody(seq: number, text: string): void | Promise<void>;
  setType(seq: number, type: string): void | Promise<void>;
  removeEvent(seq: number): void | Promise<void>;
  removeSnapshots(): void | Promise<void>;
}

/** The harness of the running test. */
export type Present = () => JournalHarness;
