/** Faults of forges. */

export const FORGE_FAULTS = {
  'forge.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process kept the repository locked for too long. Nothing was changed.',
    next: 'Try again. If the error persists, check the process that the message names.',
  },
  'forge.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The pull request records could not be read or written.',
    next: 'Fix the cause in the message. No acknowledged data is lost.',
  },
  'forge.closed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The forge was used after it was closed.',
    next: 'This is a bug in Legion. Please report it together with the message.',
  },
  'forge.repository_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'This path does not contain a git repository.',
    next: 'Check the path in the configuration.',
  },
  'forge.base_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The base branch of pull requests does not exist.',
    next: 'Create the branch with a first commit, or configure another base branch.',
  },
  'forge.branch_refused': {
    http: 400,
    nature: 'terminal',
    meaning: 'This branch cannot be used for a pull request: its name is invalid, or it is the base branch.',
    next: 'Use the issue’s branch.',
  },
  'forge.branch_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The branch does not exist in the repository.',
    next: 'Commit to the issue’s branch and push it first.',
  },
  'forge.branch_moved': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The branch on the forge has commits that do not come from this workspace, and a push would discard them. Nothing was pushed.',
    next: 'Fetch the commits and rebase onto them, then push again.',
  },
  'forge.branch_checked_out': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The branch is checked out in another work tree of the repository, and a push would leave that work tree out of date.',
    next: 'Check out another branch in that work tree, then push again.',
  },
  'forge.workspace_unusable': {
    http: 409,
    nature: 'terminal',
    meaning: 'The workspace is not a git work tree with this branch checked out.',
    next: 'Finish or abort any rebase or merge that is in progress in the workspace, then check out the branch.',
  },
  'forge.nothing_to_merge': {
    http: 422,
    nature: 'terminal',
    meaning: 'The branch has nothing to merge: it adds no commit to its base, or shares no history with it.',
    next: 'Create the issue’s branch from the base, commit the work on that branch, and push it.',
  },
  'forge.pull_request_missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'No pull request has this number.',
    next: 'Check the number, or look up the pull request by its branch.',
  },
  'forge.check_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The head of the pull request has no check with this name.',
    next: 'Use one of the check names in the message. `legion ci ISSUE` lists the same names.',
  },
  'forge.record_broken': {
    http: 500,
    nature: 'terminal',
    meaning:
      'The record of a pull request cannot be read. Legion leaves the record unchanged, and other pull requests are not affected.',
    next: 'Repair the file that the message names or restore it from a backup. To abandon the pull request, move the file away.',
  },
  'forge.not_open': {
    http: 409,
    nature: 'terminal',
    meaning: 'The pull request is already closed or merged.',
    next: 'Open a new pull request for further changes.',
  },
  'forge.own_review': {
    http: 403,
    nature: 'terminal',
    meaning: 'A pull request cannot be reviewed by its own author.',
    next: 'Have another worker or a person review the pull request.',
  },
  'forge.draft': {
    http: 409,
    nature: 'terminal',
    meaning: 'A draft pull request cannot be merged.',
    next: 'Mark the pull request as ready first.',
  },
  'forge.head_moved': {
    http: 409,
    nature: 'retryable',
    meaning: 'The branch has changed since it was checked. Nothing was merged.',
    next: 'Check the new head of the branch, then merge.',
  },
  'forge.base_moved': {
    http: 409,
    nature: 'retryable',
    meaning: 'The base branch has changed since the pull request was checked. Nothing was merged.',
    next: 'Check the pull request against the new base, then merge.',
  },
  'forge.base_in_use': {
    http: 409,
    nature: 'retryable',
    meaning:
      'The base branch is checked out in a work tree whose uncommitted changes a merge could destroy. Nothing was merged.',
    next: 'Commit, stash or move away the files that the message names, or check out another branch in that work tree.',
  },
  'forge.work_tree_behind': {
    http: 409,
    nature: 'terminal',
    meaning:
      'A pull request was merged, but a work tree that has the base branch checked out could not be updated and still contains the old files.',
    next: 'Save what you need from that work tree, then run `git reset --merge` in it. A commit made there before the reset would undo the merge.',
  },
  'forge.conflict': {
    http: 409,
    nature: 'terminal',
    meaning: 'The branch conflicts with its base. Nothing was merged.',
    next: 'Rebase the branch onto the base, resolve the conflicts in the files that the message names, push, and check again.',
  },
  'forge.protected': {
    http: 409,
    nature: 'terminal',
    meaning: 'The branch is protected, and its protection rules are not met. Nothing was changed.',
    next: 'Meet the rules that the message names, for example with an approval or a passing check, or have an administrator change the protection rules.',
  },
  'forge.mergeability_unknown': {
    http: 503,
    nature: 'retryable',
    meaning: 'The forge has not determined yet whether the branch can be merged. Nothing was merged.',
    next: 'Try again in a minute.',
  },
  'forge.not_merged': {
    http: 409,
    nature: 'terminal',
    meaning: 'Only a merged pull request can be reverted.',
    next: 'Close the pull request instead, or merge it first.',
  },
  'forge.revert_conflict': {
    http: 409,
    nature: 'terminal',
    meaning: 'Later changes on the base touch the same lines, so the revert cannot be created automatically.',
    next: 'Revert the commit manually on a branch (`git revert`), resolve the conflicts in the files that the message names, and open a pull request.',
  },
} as const;

/** Faults of git commands, run by any part of Legion. */
export const GIT_FAULTS = {
  'git.missing': {
    http: 500,
    nature: 'terminal',
    meaning: 'The git program was not found.',
    next: 'Install git 2.38 or newer and put it on the daemon’s PATH.',
  },
  'git.too_old': {
    http: 500,
    nature: 'terminal',
    meaning: 'The installed git is too old: it cannot merge without a work tree.',
    next: 'Install git 2.38 or newer.',
  },
  'git.failed': {
    http: 500,
    nature: 'retryable',
    meaning: 'A git command failed. The message contains git’s error text.',
    next: 'Fix the problem that git reports. The usual causes are the lock of another git process, a full disk or a missing permission.',
  },
  'git.timeout': {
    http: 503,
    nature: 'retryable',
    meaning: 'A git command did not finish in time and was stopped.',
    next: 'Check for a slow disk, or for a git process that is waiting for another process. Legion retries by itself.',
  },
  'git.output_too_large': {
    http: 500,
    nature: 'terminal',
    meaning: 'A git command printed more output than Legion accepts.',
    next: 'Split the change into smaller changes. A change of this size could not be reviewed either.',
  },
  'git.interrupted': {
    http: 503,
    nature: 'retryable',
    meaning: 'A git command was stopped because its result is no longer needed.',
    next: 'Try again.',
  },
  'git.locked': {
    http: 503,
    nature: 'retryable',
    meaning:
      'A git lock file exists: another git process is running, or was killed and left its lock file behind.',
    next: 'Try again. If no git process is running in this repository, delete the lock file that the message names.',
  },
  'git.not_owned': {
    http: 500,
    nature: 'terminal',
    meaning: 'git refuses the repository because it belongs to another user.',
    next: 'Make the user running Legion the owner of the repository (`chown -R`). Legion ignores your personal git settings, so `safe.directory` has no effect.',
  },
  'git.submodule_failed': {
    http: 502,
    nature: 'retryable',
    meaning: 'A submodule cannot be checked out, so no worker starts: the code would be incomplete.',
    next: 'Make the submodule’s URL reachable without a password prompt. A submodule with a local path needs `git config protocol.file.allow always` in the repository. Run `legion up --rerun-baseline` to try again now.',
  },
} as const;
