/** `status`: a sign of life, and what is known about whoever gives it. */
import { workerId } from '../../../core/model/ids.ts';
import type { IssueRecord, WorkerRecord } from '../../../core/state/state.ts';
import { hasEnded, type LifecycleState, lifecycleOf } from '../../../domain/lifecycle.ts';
import type { WorkerIdentity } from '../../daemon.ts';
import { knownWorker } from '../fence.ts';
import type { Saying } from '../saying.ts';

export const status: Saying<'status'> = async ({ ledger }, who) => {
  const { swarm } = ledger;
  const worker = knownWorker(swarm, who);
  const isPresent = worker.attempt === who.attempt;
  // An attempt that has been replaced was stopped, whatever its record said before it was.
  const state = isPresent ? lifecycleOf(worker.facts) : 'stopped';
  const { issue, mode, attempt } = who;
  const says = hasEnded(state)
    ? `Your attempt is over${isPresent ? '' : `, attempt ${worker.attempt} has taken its place`}. End your turn.`
    : known(who, worker, state, swarm.issues.get(issue)).join(' ');
  return { worker: workerId(issue, mode), issue, mode, attempt, state, says };
};

function known(
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
    checkpoint === undefined
      ? 'There is no checkpoint of yours.'
      : `Your last checkpoint: ${checkpoint.stage}.`,
    ...(open.length === 0 ? [] : [`Not answered yet: question ${open.join(', ')}.`]),
    'End with `done`, `ask` or `error`.',
  ];
}
