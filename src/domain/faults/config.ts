/** Faults of the configuration and of the approvals kept beside it. */
import type { Entries } from './entry.ts';

export const CONFIG_FAULTS = {
  'config.columns_ambiguous': {
    http: 400,
    nature: 'terminal',
    meaning: 'One board column is mapped to two statuses.',
    next: 'Give each column of the board to one status only.',
  },
  'config.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The configuration file is not there.',
    next: 'Check the path; `legion init` writes a first file.',
  },
  'config.no_legion': {
    http: 404,
    nature: 'terminal',
    meaning: 'The command needs a legion, and neither a legion.yaml nor an option names one.',
    next: 'Run `legion init` in the repository, or name a legion with `--legion NAME` or `--config FILE`.',
  },
  'config.unreadable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The configuration file cannot be read, or is not a file.',
    next: 'Make it an ordinary file that the user Legion runs as may read.',
  },
  'config.too_large': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration file is larger than any that makes sense.',
    next: 'Check that the path is right, and shorten the file.',
  },
  'config.syntax': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration file is not plain YAML.',
    next: 'Correct the places the message names, then run `legion config check`.',
  },
  'config.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration has an unknown key, a wrong value, or values that do not go together.',
    next: 'Correct the places the message names; docs/config.md lists what is allowed.',
  },
  'config.unwritten': {
    http: 500,
    nature: 'retryable',
    meaning: 'A configuration file could not be written; what was there is unchanged.',
    next: 'Look at the cause in the message, such as a missing right or a full disk, then try again.',
  },
  'config.environment': {
    http: 400,
    nature: 'terminal',
    meaning: 'A variable of the environment has a value that is not allowed.',
    next: 'Correct or unset the variable the message names.',
  },
  'config.secret_missing': {
    http: 400,
    nature: 'terminal',
    meaning: 'A secret that the configuration names is not where it says.',
    next: 'Set the variable, or put the secret alone into the file, where the user Legion runs as may read it.',
  },
  'config.secret_exposed': {
    http: 400,
    nature: 'terminal',
    meaning: 'A file with a secret may be read or changed by other users of this machine; it was not used.',
    next: 'Run `chmod 600` on the file the message names; replace the secret if others may have read it.',
  },
  'config.unsupported': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration asks for something this version cannot do yet.',
    next: 'Remove what the message names; docs/config.md lists every key and value that works.',
  },
  'consent.required': {
    http: 403,
    nature: 'terminal',
    meaning: 'Real workers would start, and the operator has not agreed to what they may do and spend.',
    next: 'Run `legion up` at a terminal to read and confirm it, or `legion up --yes` with `--budget-issue` and `--budget-day`.',
  },
  'consent.invalid': {
    http: 500,
    nature: 'terminal',
    meaning: 'The record of the operator’s consent cannot be trusted; no real worker starts.',
    next: 'Look at the file the message names; remove it and run `legion up` again to agree anew.',
  },
  'consent.unwritten': {
    http: 500,
    nature: 'retryable',
    meaning: 'The consent could not be written; nothing was started.',
    next: 'Look at the cause in the message, such as a missing right or a full disk, then try again.',
  },
  'config.home_missing': {
    http: 500,
    nature: 'terminal',
    meaning: 'It is not known where the files of this user belong.',
    next: 'Set HOME, or both XDG_DATA_HOME and XDG_STATE_HOME, to absolute paths.',
  },
  'config.approvals_invalid': {
    http: 500,
    nature: 'terminal',
    meaning: 'The file of approved commands cannot be trusted; nothing counts as approved.',
    next: 'Look at the file the message names; remove it and approve again if it cannot be mended.',
  },
  'config.approvals_unwritten': {
    http: 500,
    nature: 'retryable',
    meaning: 'The approval could not be written; nothing was approved.',
    next: 'Look at the cause in the message, then approve again.',
  },
} as const satisfies Entries;
