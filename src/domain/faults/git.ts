/** Faults of git itself, whoever runs it. */
import type { Entries } from './entry.ts';

export const GIT_FAULTS = {
  'git.missing': {
    http: 500,
    nature: 'terminal',
    meaning: 'The program git was not found.',
    next: 'Install git 2.38 or newer and put it on the PATH of the daemon.',
  },
  'git.too_old': {
    http: 500,
    nature: 'terminal',
    meaning: 'This git cannot merge in memory.',
    next: 'Install git 2.38 or newer.',
  },
  'git.failed': {
    http: 500,
    nature: 'retryable',
    meaning: 'git refused or failed; its own words are in the message.',
    next: 'Act on what git says; most of the time it is a lock of another git, a full disk or a missing right.',
  },
  'git.timeout': {
    http: 503,
    nature: 'retryable',
    meaning: 'git did not end within its time and was stopped.',
    next: 'Look for a slow disk or a git that waits for another one; Legion tries again.',
  },
  'git.output_too_large': {
    http: 500,
    nature: 'terminal',
    meaning: 'git answered with more than Legion takes in.',
    next: 'Split the change: no reviewer reads one of this size either.',
  },
  'git.interrupted': {
    http: 503,
    nature: 'retryable',
    meaning: 'git was stopped because nobody waits for its answer any more.',
    next: 'Ask again.',
  },
  'git.locked': {
    http: 503,
    nature: 'retryable',
    meaning: 'A lock file of git is in the way: of a git that is at work, or left by one that was killed.',
    next: 'Try again; if no git is running on this repository, delete the file the message names.',
  },
  'git.not_owned': {
    http: 500,
    nature: 'terminal',
    meaning: 'git refuses the repository because it belongs to another user.',
    next: 'Give the repository to the user Legion runs as (chown -R); personal git settings are not read.',
  },
  'git.submodule_failed': {
    http: 502,
    nature: 'retryable',
    meaning: 'A submodule of the repository cannot be checked out; no worker starts on a half of its code.',
    next: 'Make its address reachable without a password prompt. A local path needs `git config protocol.file.allow always` in the repository. `legion up --rerun-baseline` tries again now.',
  },
} as const satisfies Entries;
