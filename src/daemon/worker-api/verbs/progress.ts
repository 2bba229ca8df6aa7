/** Verbs about a worker's own progress: `status` and `checkpoint`. */

import { isDeepStrictEqual } from 'node:util';
import type { WorkerIdentity } from '../../../core/model/ids.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { hasEnded, type LifecycleState, toLifecycleState } from '../../../core/model/lifecycle.ts';
import type { IssueRecord, WorkerRecord } from '../../../core/state/state.ts';
import { recordUncommittedWork } from '../../context/record-uncommitted-work.ts';
import { appendAs, requireKnownAttempt } from '../attempt-guard.ts';
import type { VerbHandler } from '../verb-handler.ts';

/** `status`: the worker's heartbeat. Returns what the daemon knows about the worker. */
export const handleStatus: VerbHandler<'status'> = async ({ ledger }, who) => {
  const { state: legion } = ledger;
  const worker = requireKnownAttempt(legion, who);
  const isPresent = worker.attempt === who.attempt;
  // An attempt that was replaced is reported as stopped, whatever its record said before.
  const state = isPresent ? toLifecycleState(worker.facts) : 'stopped';
  const { issue, mode, attempt } = who;
  const says = hasEnded(state)
    ? `Your attempt is over${isPresent ? '' : `; attempt ${worker.attempt} has replaced it`}. End your turn.`
    : listStatusLines(who, worker, state, legion.issues.get(issue)).join(' ');
  return { worker: toWorkerId(issue, mode), issue, mode, attempt, state, says };
};

function listStatusLines(
  { mode }: WorkerIdentity,
  { checkpoint }: WorkerRecord,
  state: LifecycleState,
  record: IssueRecord | undefined,
): string[] {
  const open = Object.entries(record?.questions ?? {})
    .filter(([, asked]) => asked.mode === mode && asked.answer === undefined)
    .map(([number]) => number);
  return [
    `You are ${state}.`,
    checkpoint === undefined ? 'You have no saved checkpoint.' : `Your last checkpoint: ${checkpoint.stage}.`,
    ...(open.length === 0 ? [] : [`Unanswered questions: ${open.join(', ')}.`]),
    'End with `done`, `ask` or `error`.',
  ];
}

/** `checkpoint`: records progress, so that the next attempt can continue the work. */
export const handleCheckpoint: VerbHandler<'checkpoint'> = async (context, who, saved) => {
  const { issue, mode, attempt } = who;
  await recordUncommittedWork(context, issue);
  await appendAs(context, who, ({ worker: { checkpoint: before, lastCheckpoint } }) => {
    // A checkpoint of the previous attempt is not treated as this attempt's, even if the two are
    // identical.
    if (before !== undefined && lastCheckpoint > 0) {
      const { at: _, ...said } = before;
      if (isDeepStrictEqual(said, saved)) return [];
    }
    return [{ type: 'checkpoint.saved', issue, mode, attempt, checkpoint: lastCheckpoint + 1, ...saved }];
  });
  return { says: 'Checkpoint saved. Continue.' };
};
