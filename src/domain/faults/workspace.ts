/** Faults of workspaces. */
import type { Entries } from './entry.ts';

export const WORKSPACE_FAULTS = {
  'workspace.not_a_repository': {
    http: 400,
    nature: 'terminal',
    meaning: 'The folder named as a repository is none.',
    next: 'Name the top folder of a clone, or a bare repository.',
  },
  'workspace.no_commit': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository has no commit yet, so no branch can begin anywhere.',
    next: 'Make a first commit on the main branch (git commit --allow-empty -m "Begin"). If the repository is on GitHub, push it.',
  },
  'workspace.base_missing': {
    http: 409,
    nature: 'terminal',
    meaning: 'The branch that workspaces begin at was not found.',
    next: 'Name an existing branch as the base, or fetch it.',
  },
  'workspace.branch_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'The branch of the issue is the base branch, or is checked out in another folder.',
    next: 'Check out something else in the folder the message names, or give the issue another id.',
  },
  'workspace.foreign': {
    http: 409,
    nature: 'terminal',
    meaning:
      'Something that is no workspace of this legion lies where the workspace belongs; it was not touched.',
    next: 'Look at it, then move it away.',
  },
  'workspace.outside': {
    http: 409,
    nature: 'terminal',
    meaning: 'The place of a workspace leads out of the root through a symbolic link; nothing was touched.',
    next: 'Find out who made the link, then remove it.',
  },
  'workspace.other_repository': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue already has a workspace, of another repository.',
    next: 'Remove that workspace first, or name the repository it belongs to.',
  },
  'workspace.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process made or removed workspaces of this repository for longer than one may wait.',
    next: 'Try again; if it stays so, look at the process the message names.',
  },
  'workspace.holds_work': {
    http: 409,
    nature: 'terminal',
    meaning: 'The workspace holds work that is neither merged nor pushed; nothing was removed.',
    next: 'Push or merge what the message names, or remove it by hand if nobody needs it.',
  },
  'workspace.full': {
    http: 507,
    nature: 'retryable',
    meaning: 'The disk is full; what was begun is cleared away by the next attempt.',
    next: 'Free disk space; Legion goes on by itself.',
  },
  'workspace.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The folder of a workspace, or the repository of it, could not be read or written.',
    next: 'Look at the cause in the message; no work was removed.',
  },
} as const satisfies Entries;
