/** Faults of trackers. */
import type { Entries } from './entry.ts';

export const TRACKER_FAULTS = {
  'tracker.issue_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The board has no issue with this id; nothing was written.',
    next: 'See `legion issue list` for the ids of the board.',
  },
  'tracker.column_missing': {
    http: 409,
    nature: 'terminal',
    meaning: 'The board has no column for a status Legion needs; nothing was written.',
    next: 'Add the column to the board, or map one of its columns to the status in the configuration.',
  },
  'tracker.cycle': {
    http: 409,
    nature: 'terminal',
    meaning: 'Issues would wait for each other in a circle; nothing was written.',
    next: 'Take one of the blockers the message names away first.',
  },
  'tracker.newer': {
    http: 409,
    nature: 'terminal',
    meaning: 'The board was written by a newer Legion; nothing was written.',
    next: 'Use the Legion version that wrote it, or a newer one.',
  },
  'tracker.foreign': {
    http: 409,
    nature: 'terminal',
    meaning: 'The file is not a board of Legion; nothing was written.',
    next: 'Point to a file made by Legion, or to a path that does not exist yet.',
  },
  'tracker.corrupt': {
    http: 500,
    nature: 'terminal',
    meaning: 'The board cannot be read back as it was written; nothing was changed.',
    next: 'Keep the file as it is and restore a backup.',
  },
  'tracker.full': {
    http: 507,
    nature: 'retryable',
    meaning: 'The disk is full; the write was rolled back and everything acknowledged before is intact.',
    next: 'Free disk space; Legion goes on by itself.',
  },
  'tracker.read_only': {
    http: 500,
    nature: 'terminal',
    meaning: 'The board cannot be written: the file or its folder is read-only.',
    next: 'Make the file and its folder writable for the user Legion runs as.',
  },
  'tracker.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process held the board for longer than the writer may wait; nothing was written.',
    next: 'Try again; if it stays so, find the process that holds the file open.',
  },
  'tracker.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The board could not be opened, read or written.',
    next: 'Look at the cause in the message; nothing that was acknowledged is lost.',
  },
  'tracker.closed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The board was used after it had been closed.',
    next: 'This is a defect in Legion: please report it with the message.',
  },
} as const satisfies Entries;
