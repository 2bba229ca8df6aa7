/** Faults of operator commands. */

export const OPERATOR_FAULTS = {
  'issue.not_ours': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue belongs to an external tracker and can be edited only there.',
    next: 'Edit the issue in that tracker. Legion then reads your change.',
  },
  'issue.changed': {
    http: 409,
    nature: 'terminal',
    meaning: 'Someone else changed the same field of the issue after you read it. Nothing was written.',
    next: 'Read the issue again, then repeat your edit on its current text.',
  },
  'issue.over': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue is Done or closed, so workers no longer work on it.',
    next: 'Move the issue back with `legion issue move ISSUE STATUS`, or add a new issue.',
  },
  'issue.paused': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue is paused, so no worker starts on it.',
    next: 'Run `legion resume ISSUE` first.',
  },
  'question.none_open': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue has no open question with this number.',
    next: 'Run `legion inbox` to see the open questions. To send anything else to a worker, use `legion prompt` or comment on the issue.',
  },
  'approval.not_due': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue is not waiting for an approval.',
    next: 'Run `legion explain ISSUE` to see what the issue is waiting for.',
  },
  'approval.changed': {
    http: 409,
    nature: 'terminal',
    meaning: 'What waits for approval has changed since it was shown. Nothing was approved.',
    next: 'Run `legion approve ISSUE` again to see what waits now.',
  },
  'approval.rejected': {
    http: 409,
    nature: 'terminal',
    meaning: 'A person has rejected what was to be approved. Nothing was approved.',
    next: 'Run `legion explain ISSUE`. A new result waits for approval once the worker has finished it.',
  },
  'rejection.not_due': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue has no result that can be rejected now. Nothing was changed.',
    next: 'Reject a specification or a merge that waits for approval, or a plan before it has commits. Otherwise send a message to the worker with `legion prompt ISSUE`.',
  },
  'approval.revert_open': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue was rolled back, and its revert is still open. Nothing was approved.',
    next: 'Merge the revert with `legion pr merge N` or on the forge, then approve again.',
  },
  'resume.not_paused': {
    http: 409,
    nature: 'terminal',
    meaning: 'There is nothing to resume: neither the issue nor the legion is paused.',
    next: 'Run `legion explain ISSUE` to see what the issue is waiting for.',
  },
  'advance.not_next': {
    http: 422,
    nature: 'terminal',
    meaning: 'The issue cannot be forced to a stage while one of its steps is being carried out.',
    next: 'Wait a few seconds, then run the command again.',
  },
  'rollback.not_merged': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue has no merged pull request that could be reverted.',
    next: 'Run `legion issue show ISSUE` to see the issue’s pull request.',
  },
  'rollback.unfinished': {
    http: 409,
    nature: 'terminal',
    meaning: 'The revert exists, but the rollback that opened it was interrupted.',
    next: 'Run `legion rollback ISSUE` again to complete the rollback, then merge the revert.',
  },
  'pr.elsewhere': {
    http: 409,
    nature: 'terminal',
    meaning:
      'Legion merges a pull request for you only if the pull request is on the local forge. Pull requests of this repository must be merged on their own forge.',
    next: 'Merge the pull request at the address in the message. Legion detects the merge.',
  },
  'pr.ambiguous': {
    http: 409,
    nature: 'terminal',
    meaning: 'Several repositories of the legion have a pull request with this number.',
    next: 'Choose the repository with `--repo NAME`.',
  },
  'pr.merged': {
    http: 409,
    nature: 'terminal',
    meaning: 'The pull request is already merged. Nothing was done.',
    next: 'Nothing to do. To undo the merge, run `legion rollback ISSUE`, which opens a revert.',
  },
  'pr.held': {
    http: 409,
    nature: 'terminal',
    meaning: 'The legion is paused or halted. Until it resumes, only reverts can be merged.',
    next: 'Run `legion resume` first.',
  },
  'pr.gate_closed': {
    http: 409,
    nature: 'terminal',
    meaning:
      'At least one merge condition is not met at this commit. The message lists the conditions that are not met.',
    next: 'Run `legion gates ISSUE` to see every condition. The pull request can be merged when all of them are met.',
  },
  'pr.ci_not_green': {
    http: 409,
    nature: 'terminal',
    meaning: 'CI is not green on the revert, and a revert can be merged only when its CI is green.',
    next: 'Wait for CI and repeat the command, or skip CI with `legion pr merge N --force`, which is recorded in the journal.',
  },
  'handoff.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'The phase wrote no handoff, or the workspace does not belong to an issue.',
    next: 'Run `legion handoff read ISSUE` to see the existing handoffs.',
  },
  'commands.changed': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository’s commands have changed since they were shown to you. Nothing was approved.',
    next: 'Review the commands again with `legion config check`, then approve them.',
  },
  'workspace.in_use': {
    http: 409,
    nature: 'terminal',
    meaning: 'A worker may still need the workspace.',
    next: 'Wait until the issue is Done, or stop its workers.',
  },
  'state.not_accepted': {
    http: 422,
    nature: 'terminal',
    meaning: 'The request asks for a kind of board that this legion does not use.',
    next: 'Omit `backend`, or send the request to the daemon of a legion that uses that kind of board. `legion teams` lists all legions.',
  },
} as const;

/**
 * Faults that would stop every issue at the end of its pipeline. While one lasts, no worker starts.
 */
export const PREFLIGHT_FAULTS = {
  'preflight.unchecked': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The repository has neither CI nor a quality gate to check changes, so no issue could be merged.',
    next: 'Define `commands.quality_gate`, or `commands.ci` for the local forge, in .legion/config.yml (`legion init --commands` proposes both). Commit the file to the base branch and run `legion approve --commands`. On GitHub, a workflow in .github/workflows is enough.',
  },
  'preflight.commands_unapproved': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository’s commands are waiting for the operator’s approval.',
    next: 'Review and approve the commands with `legion approve --commands`.',
  },
  'preflight.permission_missing': {
    http: 403,
    nature: 'terminal',
    meaning: 'Legion’s account lacks a permission that every issue needs.',
    next: 'Grant the permission that the message names, then check with `legion doctor`. Workers then start by themselves.',
  },
  'preflight.workspaces_elsewhere': {
    http: 409,
    nature: 'terminal',
    meaning:
      'The legion has workspaces outside its current workspace directory, and those workspaces keep their branches checked out.',
    next: 'Start Legion with the previous `XDG_DATA_HOME` or `workspaces.root`, or remove those workspaces with `git worktree remove`.',
  },
  'baseline.failed': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository’s own commands fail on the base branch, before any worker has changed anything.',
    next: 'Fix the base branch; the baseline runs again when the branch moves. To start workers anyway, run `legion up --ignore-baseline`.',
  },
  'baseline.could_not_run': {
    http: 503,
    nature: 'terminal',
    meaning:
      'The repository’s own commands could not be run on the base branch, so Legion does not know whether the code passes them.',
    next: 'Install what the command in the message needs, or correct the command in .legion/config.yml. Run `legion up --rerun-baseline` to try again now.',
  },
} as const;
