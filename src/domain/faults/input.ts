/** Faults of what comes in: fields, ids, modes, command lines. */
import type { Entries } from './entry.ts';

export const INPUT_FAULTS = {
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
  'usage.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'The command line could not be understood.',
    next: 'Run `legion --help`, or `legion COMMAND --help`.',
  },
} as const satisfies Entries;
