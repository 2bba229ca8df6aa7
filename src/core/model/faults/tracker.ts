/** Faults of trackers. */

export const TRACKER_FAULTS = {
  'tracker.issue_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The board has no issue with this id. Nothing was written.',
    next: 'Run `legion issue list` to see the ids of the issues on the board.',
  },
  'tracker.column_missing': {
    http: 409,
    nature: 'terminal',
    meaning: 'The board has no column for a status that Legion needs. Nothing was written.',
    next: 'Add the column to the board, or map one of its columns to the status in the configuration.',
  },
  'tracker.cycle': {
    http: 409,
    nature: 'terminal',
    meaning: 'The new blocker would make issues block each other in a cycle. Nothing was written.',
    next: 'First remove one of the blockers that the message names.',
  },
  'tracker.newer': {
    http: 409,
    nature: 'terminal',
    meaning: 'The board was written by a newer Legion version. Nothing was written.',
    next: 'Use the Legion version that wrote the board, or a newer one.',
  },
  'tracker.foreign': {
    http: 409,
    nature: 'terminal',
    meaning: 'The file is not a Legion board. Nothing was written.',
    next: 'Use a file created by Legion, or a path that does not exist yet.',
  },
  'tracker.corrupt': {
    http: 500,
    nature: 'terminal',
    meaning: 'The board’s data is damaged and cannot be read. Nothing was changed.',
    next: 'Do not change the file. Restore a backup.',
  },
  'tracker.full': {
    http: 507,
    nature: 'retryable',
    meaning: 'The disk is full. The write was rolled back, and all previously acknowledged data is intact.',
    next: 'Free some disk space. Legion continues by itself.',
  },
  'tracker.read_only': {
    http: 500,
    nature: 'terminal',
    meaning: 'The board cannot be written: the file or its directory is read-only.',
    next: 'Make the file and its directory writable for the user running Legion.',
  },
  'tracker.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process kept the board locked for too long. Nothing was written.',
    next: 'Try again. If the error persists, find the process that has the file open.',
  },
  'tracker.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The board could not be opened, read or written.',
    next: 'Fix the cause in the message. No acknowledged data is lost.',
  },
  'tracker.closed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The board was used after it was closed.',
    next: 'This is a bug in Legion. Please report it together with the message.',
  },
} as const;

/**
 * Faults of requests to GitHub. Trackers and forges explain what such a fault means for an issue or
 * a pull request.
 */
export const GITHUB_FAULTS = {
  'github.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning:
      'GitHub did not respond, or its response was incomplete. A write may have succeeded, so Legion checks before it repeats a write.',
    next: 'Legion retries by itself. Run your own commands again later. If the error persists, see https://www.githubstatus.com.',
  },
  'github.rate_limited': {
    http: 429,
    nature: 'retryable',
    meaning: 'GitHub’s rate limit for this account is reached. Nothing was written.',
    next: 'Legion waits until the time in the message. Run your own commands again after that time. To avoid the limit, run fewer legions with one account, or use a GitHub App.',
  },
  'github.unauthorized': {
    http: 401,
    nature: 'terminal',
    meaning: 'GitHub credentials are missing or were rejected.',
    next: 'Set `credentials.github` in legion.yaml, or run `gh auth login`. `legion doctor` shows which credentials are used.',
  },
  'github.forbidden': {
    http: 403,
    nature: 'terminal',
    meaning: 'The account does not have permission to do this on GitHub. Nothing was written.',
    next: 'Grant the permission that the message names. `legion doctor` checks all permissions.',
  },
  'github.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The object does not exist on GitHub, or the account cannot see it.',
    next: 'Check the name in legion.yaml, and that the account can read the object. `legion doctor` checks both.',
  },
  'github.refused': {
    http: 422,
    nature: 'terminal',
    meaning: 'GitHub rejected the request. Nothing was written.',
    next: 'The message contains GitHub’s error text. Fix the problem that it describes.',
  },
} as const;

/** Faults of requests to Linear. The tracker explains what such a fault means for an issue. */
export const LINEAR_FAULTS = {
  'linear.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning:
      'Linear did not respond, or its response was incomplete. A write may have succeeded, so Legion checks before it repeats a write.',
    next: 'Legion retries by itself. Run your own commands again later. If the error persists, see https://linearstatus.com.',
  },
  'linear.rate_limited': {
    http: 429,
    nature: 'retryable',
    meaning: 'Linear’s rate limit for this account is reached. Nothing was written.',
    next: 'Legion waits until the time in the message. Run your own commands again after that time. To avoid the limit, run fewer programs with one account.',
  },
  'linear.unauthorized': {
    http: 401,
    nature: 'terminal',
    meaning: 'Linear credentials are missing or were rejected.',
    next: 'Set `credentials.linear.api_key` in legion.yaml, or set the variable LINEAR_API_KEY. `legion doctor` shows which credentials are used.',
  },
  'linear.forbidden': {
    http: 403,
    nature: 'terminal',
    meaning: 'The account does not have permission to do this in Linear. Nothing was written.',
    next: 'Grant the access that the message names. `legion doctor` checks all access that Legion needs.',
  },
  'linear.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The object does not exist in Linear, or the account cannot see it.',
    next: 'Check the name in legion.yaml, and that the account is a member of the team. `legion teams --linear` lists the teams that the account can see.',
  },
  'linear.refused': {
    http: 422,
    nature: 'terminal',
    meaning: 'Linear rejected the request. Nothing was written.',
    next: 'The message contains Linear’s error text. Fix the problem that it describes.',
  },
} as const;
