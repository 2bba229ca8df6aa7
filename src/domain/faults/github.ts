/** Faults of talking to GitHub; what they mean for an issue or a pull request, trackers and forges say. */
import type { Entries } from './entry.ts';

export const GITHUB_FAULTS = {
  'github.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning:
      'GitHub did not answer, or only half; a write may have happened, and is looked for before it is made again.',
    next: 'Legion itself tries again; give a command of yours again later. See https://www.githubstatus.com if it lasts.',
  },
  'github.rate_limited': {
    http: 429,
    nature: 'retryable',
    meaning: 'GitHub takes no more requests of this account for a while; nothing was written.',
    next: 'Legion itself waits until the time in the message; give a command of yours again after it. Fewer legions on one account, or a GitHub App, have more.',
  },
  'github.unauthorized': {
    http: 401,
    nature: 'terminal',
    meaning: 'There is no credential for GitHub, or GitHub does not take it.',
    next: 'Set `credentials.github` in legion.yaml, or run `gh auth login`; `legion doctor` says which one is used.',
  },
  'github.forbidden': {
    http: 403,
    nature: 'terminal',
    meaning: 'The account may not do this on GitHub; nothing was written.',
    next: 'Give it the permission that the message names; `legion doctor` checks all of them.',
  },
  'github.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'GitHub has no such thing, or the account may not see it.',
    next: 'Check the name in legion.yaml, and that the account may read it; `legion doctor` checks both.',
  },
  'github.refused': {
    http: 422,
    nature: 'terminal',
    meaning: 'GitHub would not do what was asked; nothing was written.',
    next: 'The message is GitHub’s own; change what it names.',
  },
} as const satisfies Entries;
