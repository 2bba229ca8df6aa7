/** Faults of forges. */
import type { Entries } from './entry.ts';

export const FORGE_FAULTS = {
  'forge.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process changes this repository for longer than one may wait; nothing was changed.',
    next: 'Try again; if it stays so, look at the process the message names.',
  },
  'forge.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The records of pull requests could not be read or written.',
    next: 'Look at the cause in the message; what was acknowledged is not lost.',
  },
  'forge.closed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The forge was used after it had been closed.',
    next: 'This is a defect in Legion: please report it with the message.',
  },
  'forge.repository_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'There is no git repository at this path.',
    next: 'Check the path in the configuration.',
  },
  'forge.base_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The branch that pull requests merge into does not exist.',
    next: 'Make its first commit, or name another base branch in the configuration.',
  },
  'forge.branch_refused': {
    http: 400,
    nature: 'terminal',
    meaning:
      'This branch may not be used for a pull request: its name is no branch name, or it is the base branch.',
    next: 'Use the branch of the issue.',
  },
  'forge.branch_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The branch does not exist in the repository.',
    next: 'Commit to the branch of the issue and push it first.',
  },
  'forge.branch_moved': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The branch has commits nobody pushed from this workspace, and the push would lose them; nothing was moved.',
    next: 'Take them into the workspace (fetch and rebase onto them), then push again.',
  },
  'forge.branch_checked_out': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The branch is checked out in another work tree of the repository, which a push would leave behind.',
    next: 'Check out something else there, then push again.',
  },
  'forge.workspace_unusable': {
    http: 409,
    nature: 'terminal',
    meaning: 'The workspace is no git work tree that stands on this branch.',
    next: 'Finish or abort what is going on there (a rebase, a merge) and check the branch out.',
  },
  'forge.nothing_to_merge': {
    http: 422,
    nature: 'terminal',
    meaning:
      'There is nothing to merge: the branch adds no commit to its base, or shares no history with it.',
    next: 'Commit the work on the branch of the issue, made from the base, and push it.',
  },
  'forge.pull_request_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'There is no pull request with this number.',
    next: 'Check the number, or look it up by its branch.',
  },
  'forge.check_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The head of the pull request has no check with this name.',
    next: 'Use one of the names in the message; `legion ci ISSUE` lists them.',
  },
  'forge.record_broken': {
    http: 500,
    nature: 'terminal',
    meaning: 'The record of a pull request cannot be read; it is left as it is, and the others go on.',
    next: 'Mend the file the message names, restore it from a backup, or move it away to give the pull request up.',
  },
  'forge.not_open': {
    http: 409,
    nature: 'terminal',
    meaning: 'The pull request is closed or merged already.',
    next: 'Open a new one for further changes.',
  },
  'forge.own_review': {
    http: 403,
    nature: 'terminal',
    meaning: 'Nobody reviews a pull request of their own.',
    next: 'Have another worker or a person review it.',
  },
  'forge.draft': {
    http: 409,
    nature: 'terminal',
    meaning: 'A draft cannot be merged.',
    next: 'Mark the pull request ready first.',
  },
  'forge.head_moved': {
    http: 409,
    nature: 'retryable',
    meaning: 'The branch has moved since it was checked; nothing was merged.',
    next: 'Check the new head, then merge that.',
  },
  'forge.base_moved': {
    http: 409,
    nature: 'retryable',
    meaning: 'The base has moved since it was checked; nothing was merged.',
    next: 'Check against the new base, then merge onto that.',
  },
  'forge.base_in_use': {
    http: 409,
    nature: 'retryable',
    meaning:
      'The base is checked out in a work tree with changes that merging would endanger; nothing was merged.',
    next: 'Commit, stash or move away what the message names, or check out another branch there.',
  },
  'forge.work_tree_behind': {
    http: 409,
    nature: 'terminal',
    meaning:
      'A merge has landed, but a work tree that has the base checked out could not follow: its files are those of before.',
    next: 'Save what is of value there, then run `git reset --merge` in it; a commit made before that would undo the merge.',
  },
  'forge.conflict': {
    http: 409,
    nature: 'terminal',
    meaning: 'The branch conflicts with its base; nothing was merged.',
    next: 'Rebase the branch onto the base, solve the conflicts in the files named, push and check again.',
  },
  'forge.protected': {
    http: 409,
    nature: 'terminal',
    meaning: 'The branch is protected, and what its protection asks for is not there; nothing was changed.',
    next: 'Give what the message names, such as an approval or a passing check, or have an administrator change the protection.',
  },
  'forge.mergeability_unknown': {
    http: 503,
    nature: 'retryable',
    meaning: 'The forge has not worked out yet whether the branch can be merged; nothing was merged.',
    next: 'Try again in a minute.',
  },
  'forge.not_merged': {
    http: 409,
    nature: 'terminal',
    meaning: 'Only a merged pull request can be reverted.',
    next: 'Close it instead, or merge it first.',
  },
  'forge.revert_conflict': {
    http: 409,
    nature: 'terminal',
    meaning: 'Later changes of the base touch the same lines, so the revert cannot be made by itself.',
    next: 'Revert the commit by hand on a branch (`git revert`), solve the conflicts in the files named, and open a pull request.',
  },
} as const satisfies Entries;
