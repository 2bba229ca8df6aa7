/** Faults of the journal. */
import type { Entries } from './entry.ts';

export const JOURNAL_FAULTS = {
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
} as const satisfies Entries;
