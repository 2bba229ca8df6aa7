/** Faults of the windows that show workers to people. */
import type { Entries } from './entry.ts';

export const VIEW_FAULTS = {
  'view.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'A window that shows a worker could not be opened or reached; the worker itself goes on.',
    next: 'See that tmux 3.2 or newer is on the PATH, or read along with `legion view ISSUE`, which needs none.',
  },
  'view.no_terminal': {
    http: 400,
    nature: 'terminal',
    meaning: 'Only a person at a terminal can be brought to a window.',
    next: 'Run it at a terminal, or use `legion view ISSUE` or `legion logs ISSUE --follow`, which print lines.',
  },
} as const satisfies Entries;
