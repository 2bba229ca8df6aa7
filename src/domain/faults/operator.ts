/** Faults of what an operator asks for. */
import type { Entries } from './entry.ts';

export const OPERATOR_FAULTS = {
  'issue.not_ours': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue lives on a tracker that is edited where it is.',
    next: 'Edit it on the tracker itself; Legion reads it from there.',
  },
  'issue.changed': {
    http: 409,
    nature: 'terminal',
    meaning: 'Someone else changed the same part of the issue after it was read; nothing was written.',
    next: 'Read the issue again, then repeat the edit on what it says now.',
  },
  'issue.over': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue is Done or closed; nobody works on it any more.',
    next: 'Move it back with `legion issue move ISSUE STATUS`, or add a new issue.',
  },
  'issue.paused': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue is paused, and none of its workers is running; nothing starts for it.',
    next: 'Run `legion resume ISSUE` first.',
  },
  'question.none_open': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue has no open question of that number.',
    next: 'See `legion inbox` for what is asked; use `legion prompt` or a comment to say something unasked.',
  },
  'approval.not_due': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue does not wait for an approval.',
    next: 'See `legion explain ISSUE` for what it waits for.',
  },
  'approval.revert_open': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue was rolled back, and its revert is neither merged nor closed; nothing was approved.',
    next: 'Merge the revert with `legion pr merge N` or on its page, then approve again.',
  },
  'resume.not_paused': {
    http: 409,
    nature: 'terminal',
    meaning: 'Nothing here is paused.',
    next: 'See `legion explain ISSUE` for what it waits for.',
  },
  'advance.not_next': {
    http: 422,
    nature: 'terminal',
    meaning: 'The issue cannot go to that stage now; the message says what is due.',
    next: 'Run `legion advance ISSUE --dry-run` to see the due step.',
  },
  'rollback.not_merged': {
    http: 409,
    nature: 'terminal',
    meaning: 'The issue has no merged pull request that could be undone.',
    next: 'See `legion issue show ISSUE` for its pull request.',
  },
  'rollback.unfinished': {
    http: 409,
    nature: 'terminal',
    meaning: 'The revert is there, but the rollback that opened it was cut short.',
    next: 'Run `legion rollback ISSUE` again to complete it, then merge the revert.',
  },
  'pr.elsewhere': {
    http: 409,
    nature: 'terminal',
    meaning: 'Pull requests of this repository are merged on the forge’s own pages.',
    next: 'Merge it at the address in the message; Legion notices.',
  },
  'pr.ambiguous': {
    http: 409,
    nature: 'terminal',
    meaning: 'Several repositories of the legion have a pull request of this number.',
    next: 'Name one of them with `--repo NAME`.',
  },
  'pr.merged': {
    http: 409,
    nature: 'terminal',
    meaning: 'The pull request is merged already; nothing was done.',
    next: 'Nothing is left to do; `legion rollback ISSUE` opens a revert of an issue’s merge.',
  },
  'pr.held': {
    http: 409,
    nature: 'terminal',
    meaning: 'The legion is paused or halted; only reverts can be merged meanwhile.',
    next: 'Run `legion resume` first.',
  },
  'pr.gate_closed': {
    http: 409,
    nature: 'terminal',
    meaning: 'A condition of the merge does not hold at this commit; the message lists which.',
    next: 'See `legion gates ISSUE`; the pull request can be merged when every condition passes.',
  },
  'pr.ci_not_green': {
    http: 409,
    nature: 'terminal',
    meaning: 'A revert is merged once its CI is green; it is not.',
    next: 'Wait for CI and repeat the command, or merge without it: `legion pr merge N --force`, which the journal keeps.',
  },
  'handoff.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'No handoff of that phase was left, or no issue belongs to that workspace.',
    next: 'See `legion handoff read ISSUE` for what there is.',
  },
  'commands.changed': {
    http: 409,
    nature: 'terminal',
    meaning: 'The repository’s commands are not those that were shown.',
    next: 'Look at them again with `legion config check`, and approve what you see.',
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
    meaning: 'The legion works on another kind of board than the one that was named.',
    next: 'Leave `backend` out, or ask the daemon of that board; `legion teams` lists them.',
  },
} as const satisfies Entries;
