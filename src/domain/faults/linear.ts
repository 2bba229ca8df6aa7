/** Faults of talking to Linear; what they mean for an issue, the tracker says. */
import type { Entries } from './entry.ts';

export const LINEAR_FAULTS = {
  'linear.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning:
      'Linear did not answer, or only half; a write may have happened, and is looked for before it is made again.',
    next: 'Legion itself tries again; give a command of yours again later. See https://linearstatus.com if it lasts.',
  },
  'linear.rate_limited': {
    http: 429,
    nature: 'retryable',
    meaning: 'Linear takes no more requests of this account for a while; nothing was written.',
    next: 'Legion itself waits until the time in the message; give a command of yours again after it. Fewer programs on one account have more.',
  },
  'linear.unauthorized': {
    http: 401,
    nature: 'terminal',
    meaning: 'There is no credential for Linear, or Linear does not take it.',
    next: 'Set `credentials.linear.api_key` in legion.yaml or LINEAR_API_KEY; `legion doctor` says which one is used.',
  },
  'linear.forbidden': {
    http: 403,
    nature: 'terminal',
    meaning: 'The account may not do this in Linear; nothing was written.',
    next: 'Give it the access that the message names; `legion doctor` checks all of it.',
  },
  'linear.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'Linear has no such thing, or the account may not see it.',
    next: 'Check the name in legion.yaml, and that the account is a member of the team; `legion teams --linear` lists what it sees.',
  },
  'linear.refused': {
    http: 422,
    nature: 'terminal',
    meaning: 'Linear would not do what was asked; nothing was written.',
    next: 'The message is Linear’s own; change what it names.',
  },
} as const satisfies Entries;
