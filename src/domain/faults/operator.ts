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
