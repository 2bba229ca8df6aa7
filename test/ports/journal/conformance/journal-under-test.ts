/** The harness that a journal provides to the conformance suite. */
import type { Journal } from '../../../../src/ports/journal.ts';

export interface JournalHarness {
  /** Opens a new, empty journal, which becomes the current one. */
  fresh(): Promise<Journal>;
  /** Opens another handle on the current journal, as another or a restarted process would. */
  reopen(): Promise<Journal>;
  /** Changes stored data without using the journal. */
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

/** Returns the harness of the running test. */
export type Present = () => JournalHarness;
