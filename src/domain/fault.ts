/** The error catalogue: every fault Legion can report, with its HTTP status, its nature and what to do next. */

/**
 * `terminal`: the same call will fail again until something is changed. `retryable`: the same call may succeed later.
 */
type Nature = 'terminal' | 'retryable';

interface Entry {
  readonly http: number;
  readonly nature: Nature;
  readonly meaning: string;
  readonly next: string;
}

/** Codes are never renamed or reused: scripts depend on them. */
export const CATALOGUE = {
  'input.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'Data from outside does not have the expected form.',
    next: 'Correct the field the message names and send it again.',
  },
  'id.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'An issue, legion or session id contains something an id may not contain.',
    next: 'Use letters, digits, ".", "_" and "-", beginning with a letter or digit; at most 160 characters.',
  },
  'mode.unknown': {
    http: 400,
    nature: 'terminal',
    meaning: 'A mode was named that does not exist.',
    next: 'Use one of architect, plan, implement, test, review, merge.',
  },
  'config.columns_ambiguous': {
    http: 400,
    nature: 'terminal',
    meaning: 'One board column is mapped to two statuses.',
    next: 'Give each column of the board to one status only.',
  },
  'usage.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'The command line could not be understood.',
    next: 'Run `legion --help`, or `legion COMMAND --help`.',
  },
  'journal.conflict': {
    http: 409,
    nature: 'retryable',
    meaning: 'The journal has moved on since the writer last read it; nothing was written.',
    next: 'Read the newer events, decide again, then append.',
  },
  'journal.fenced': {
    http: 409,
    nature: 'terminal',
    meaning: 'A newer leader has taken this legion over; nothing was written.',
    next: 'Stop this daemon: the other one carries on.',
  },
  'journal.newer': {
    http: 409,
    nature: 'terminal',
    meaning: 'The journal was written by a newer Legion; nothing was written.',
    next: 'Use the Legion version that wrote it, or a newer one.',
  },
  'journal.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'There is no journal at this path.',
    next: 'Check the path; a legion makes its journal when it first starts.',
  },
  'journal.foreign': {
    http: 409,
    nature: 'terminal',
    meaning: 'The file is not a journal of Legion; nothing was written.',
    next: 'Point to a file made by Legion, or to a path that does not exist yet.',
  },
  'journal.corrupt': {
    http: 500,
    nature: 'terminal',
    meaning: 'A row of the journal cannot be read back as an event; nothing was changed.',
    next: 'Keep the file as it is and restore a backup, or replay up to the row before the one named.',
  },
  'journal.full': {
    http: 507,
    nature: 'retryable',
    meaning: 'The disk is full; the append was rolled back and everything acknowledged before is intact.',
    next: 'Free disk space; Legion goes on by itself.',
  },
  'journal.read_only': {
    http: 500,
    nature: 'terminal',
    meaning: 'The journal cannot be written: the file or its folder is read-only.',
    next: 'Make the file and its folder writable for the user Legion runs as.',
  },
  'journal.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process held the journal for longer than the writer may wait; nothing was written.',
    next: 'Try again; if it stays so, find the process that holds the file open.',
  },
  'journal.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The journal could not be opened, read or written.',
    next: 'Look at the cause in the message; nothing that was acknowledged is lost.',
  },
  'journal.closed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The journal was used after it had been closed.',
    next: 'This is a defect in Legion: please report it with the message.',
  },
} as const satisfies Readonly<Record<string, Entry>>;

export type FaultCode = keyof typeof CATALOGUE;

/** One fault as every door shows it. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly next: string;
}

/** `detail` says what it was this time; the catalogue says what that means and what to do. */
export function fault(code: FaultCode, detail: string): Fault {
  return { code, message: detail, next: CATALOGUE[code].next };
}

/** The thrown form of a fault, for adapters and doors; the pure rooms return faults instead. */
export class LegionError extends Error {
  override readonly name = 'LegionError';
  readonly fault: Fault;

  constructor(code: FaultCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.fault = fault(code, detail);
  }

  get code(): FaultCode {
    return this.fault.code;
  }

  /** A type decides whether to try again, not a word in a message. */
  get retryable(): boolean {
    return CATALOGUE[this.fault.code].nature === 'retryable';
  }
}
