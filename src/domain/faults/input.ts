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
  'usage.file_unreadable': {
    http: 400,
    nature: 'terminal',
    meaning: 'A file that an option names does not exist or cannot be read as text.',
    next: 'Correct the path after the option; `-` reads standard input instead.',
  },
  'usage.cancelled': {
    http: 400,
    nature: 'terminal',
    meaning: 'The questions at the terminal were left before the last answer.',
    next: 'Run the command again, or give the answers as options (see its --help).',
  },
} as const satisfies Entries;
