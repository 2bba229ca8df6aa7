/** `done`: made durable first, then judged by the proof its phase left. */
import { LegionError } from '../../../domain/fault.ts';
import { workerId } from '../../../domain/ids.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import { SENDING_BACK } from '../../../protocol/verb.ts';
import type { VerbAnswer } from '../../../protocol/verb-answer.ts';
import type { WorkerIdentity } from '../../daemon.ts';
import { type Judged, judge } from '../../reports/judge-report.ts';
import type { World } from '../../world.ts';
import type { Saying } from '../saying.ts';
import { lateAnswer, takeReport } from '../take-report.ts';

export const done: Saying<'done'> = async (world, who, { summary, sentBack }) => {
  if (sentBack !== undefined) refuseOthersSendingBack(who);
  const taken = await takeReport(world, who, { outcome: 'done', summary, sentBack });
  if (taken === 'late') return lateAnswer(who);
  if (taken === 'accepted') return ACCEPTED;
  const judged = await judge(world, workerId(who.issue, who.mode));
  world.wake(who.issue);
  return answerTo(judged, world, who);
};

/** An implementer has nobody to send it back to, and a reviewer asks for changes in its review. */
function refuseOthersSendingBack({ mode }: WorkerIdentity): void {
  if (SENDING_BACK.includes(mode)) return;
  throw new LegionError(
    'worker.not_for_mode',
    `done with sentBack is for ${SENDING_BACK.join(' and ')}, not for ${mode}`,
  );
}

const ACCEPTED: VerbAnswer<'done'> = {
  durable: true,
  accepted: true,
  says: 'Your report is accepted: this phase is done. End your turn.',
};

function answerTo({ verdict, missing }: Judged, world: World, who: WorkerIdentity): VerbAnswer<'done'> {
  switch (verdict) {
    case 'accepted':
      return ACCEPTED;
    case 'refused':
      return refused(missing ?? 'Something is missing.');
    case 'unknown':
      return {
        durable: true,
        says: 'Your report is safe. Its proof cannot be read now; it is judged as soon as it can. End your turn.',
      };
    case 'nothing_to_judge':
      return judgedElsewhere(world, who, missing);
  }
}

function refused(missing: string): VerbAnswer<'done'> {
  return { durable: true, accepted: false, missing, says: `Not accepted yet. ${missing} Then report again.` };
}

/** Somebody else was faster with the same report, and what became of it stands in the state. */
function judgedElsewhere(world: World, who: WorkerIdentity, missing?: string): VerbAnswer<'done'> {
  const worker = world.ledger.swarm.workers.get(workerId(who.issue, who.mode));
  if (worker === undefined || worker.attempt !== who.attempt) return lateAnswer(who);
  switch (lifecycleOf(worker.facts)) {
    case 'finished':
      return ACCEPTED;
    case 'crashed':
    case 'paused':
    case 'stopped':
      return lateAnswer(who);
    case 'spawned':
    case 'executing':
    case 'reporting':
    case 'waiting-user':
    case 'waiting-quota':
      return refused(missing ?? 'Your report was judged a moment ago and something was missing.');
  }
}
