/** Faults of the configuration and of the approval files next to it. */

export const CONFIG_FAULTS = {
  'config.columns_ambiguous': {
    http: 400,
    nature: 'terminal',
    meaning: 'One board column is mapped to two statuses.',
    next: 'Map each board column to one status only.',
  },
  'config.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The configuration file does not exist.',
    next: 'Check the path, or run `legion init` to create the file.',
  },
  'config.no_legion': {
    http: 404,
    nature: 'terminal',
    meaning: 'The command needs a legion, but there is no legion.yaml here and no option specifies one.',
    next: 'Run `legion init` in the repository, or specify a legion with `--legion NAME` or `--config FILE`.',
  },
  'config.unreadable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The configuration file cannot be read, or is not a regular file.',
    next: 'Replace it with a regular file that the user running Legion can read.',
  },
  'config.too_large': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration file exceeds the size limit.',
    next: 'Check that the path is right, or shorten the file.',
  },
  'config.syntax': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration file is not plain YAML.',
    next: 'Fix the errors that the message lists, then run `legion config check`.',
  },
  'config.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration has an unknown key, an invalid value, or values that conflict.',
    next: 'Fix the keys that the message lists. docs/config.md lists the valid keys and values.',
  },
  'config.unwritten': {
    http: 500,
    nature: 'retryable',
    meaning: 'A configuration file could not be written. The existing file is unchanged.',
    next: 'Fix the cause in the message, such as a missing permission or a full disk, then try again.',
  },
  'config.environment': {
    http: 400,
    nature: 'terminal',
    meaning: 'An environment variable has an invalid value.',
    next: 'Correct or unset the variable that the message names.',
  },
  'config.secret_missing': {
    http: 400,
    nature: 'terminal',
    meaning: 'A secret that the configuration refers to was not found.',
    next: 'Set the environment variable that the message names, or create the file that it names. The file must contain only the secret, and the user running Legion must be able to read it.',
  },
  'config.secret_exposed': {
    http: 400,
    nature: 'terminal',
    meaning:
      'Other users of this machine can read or change a file that contains a secret, so the file was not used.',
    next: 'Run `chmod 600` on the file that the message names. Replace the secret if others may have read it.',
  },
  'config.unsupported': {
    http: 400,
    nature: 'terminal',
    meaning: 'The configuration asks for something that this version does not support yet.',
    next: 'Remove the setting that the message names. docs/config.md lists every supported key and value.',
  },
  'consent.required': {
    http: 403,
    nature: 'terminal',
    meaning:
      'No real worker starts, because the operator has not agreed to what real workers may do and spend.',
    next: 'Run `legion up` in a terminal to review and give your consent, or run `legion up --yes` with `--budget-issue` and `--budget-day`.',
  },
  'consent.invalid': {
    http: 500,
    nature: 'terminal',
    meaning: 'The record of the operator’s consent cannot be trusted, so no real worker starts.',
    next: 'Check the file that the message names. To give consent again, remove the file and run `legion up`.',
  },
  'consent.unwritten': {
    http: 500,
    nature: 'retryable',
    meaning: 'The consent could not be saved, so nothing was started.',
    next: 'Fix the cause in the message, such as a missing permission or a full disk, then try again.',
  },
  'config.home_missing': {
    http: 500,
    nature: 'terminal',
    meaning: 'Legion cannot determine where this user’s files belong.',
    next: 'Set HOME, or both XDG_DATA_HOME and XDG_STATE_HOME, to absolute paths.',
  },
  'config.approvals_invalid': {
    http: 500,
    nature: 'terminal',
    meaning: 'The file of approved commands cannot be trusted, so Legion treats every command as unapproved.',
    next: 'Check the file that the message names. If it cannot be repaired, remove it and approve the commands again.',
  },
  'config.approvals_unwritten': {
    http: 500,
    nature: 'retryable',
    meaning: 'The approval could not be saved, so nothing was approved.',
    next: 'Fix the cause in the message, then approve again.',
  },
} as const;

/** Faults of input: fields, ids, modes and command lines. */
export const INPUT_FAULTS = {
  'input.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'The input does not have the expected form.',
    next: 'Correct the field that the message names, then send the input again.',
  },
  'id.invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'An issue, legion, worker or session id is invalid.',
    next: 'Use at most 160 letters, digits, ".", "_" and "-". Start with a letter or a digit.',
  },
  'mode.unknown': {
    http: 400,
    nature: 'terminal',
    meaning: 'The mode does not exist.',
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
    meaning: 'The file passed to an option does not exist or cannot be read as text.',
    next: 'Correct the path after the option, or use `-` to read standard input.',
  },
  'usage.cancelled': {
    http: 400,
    nature: 'terminal',
    meaning: 'You cancelled the command before you answered its last question.',
    next: 'Run the command again, or pass the answers as options; the command’s --help lists the options.',
  },
} as const;
