/** `done`: made durable first, then judged by the proof its phase left. */
import { LegionError } from '../../../core/model/fault.ts';
import { workerId } from '../../../core/model/ids.ts';
import { lifecycleOf } from '../../../domain/lifecycle.ts';
import type { Mode } from '../../../domain/mode.ts';
import { SENDING_BACK, type VerbInput } from '../../../protocol/verb.ts';
import type { VerbAnswer } from '../../../protocol/verb-answer.ts';
import type { WorkerIdentity } from '../../daemon.ts';
import { type Judged, judge } from '../../reports/judge-report.ts';
import type { World } from '../../world.ts';
import { judgeWithGate } from '../await-gate.ts';
import type { Saying } from '../saying.ts';
import { lateAnswer, takeReport } from '../take-report.ts';

/** Said by a worker that waits for the answer: the quality gate is part of it. */
export const done: Saying<'done'> = (world, who, input) => {
  // Begun while the report is made durable; what cannot be read now is read again by whoever judges.
  const seen = WORKS_IN_WORKSPACE.includes(who.mode)
    ? world.workspaces.standing(who.issue).catch(() => undefined)
    : undefined;
  return report(world, who, input, async () => judgeWithGate(world, who, await seen));
};

/** Modes whose report depends on the state of the workspace. */
const WORKS_IN_WORKSPACE: readonly Mode[] = ['architect', 'plan', 'implement'];

/** Found in an outbox: nobody waits, so the quality gate runs afterwards. */
export const keptDone: Saying<'done'> = (world, who, input) =>
  report(world, who, input, () => judge(world, workerId(who.issue, who.mode), 'as_known', 'unheard'));

async function report(
  world: World,
  who: WorkerIdentity,
  { summary, sentBack }: VerbInput<'done'>,
  judgeNow: () => Promise<Judged>,
): Promise<VerbAnswer<'done'>> {
  if (sentBack !== undefined) refuseOthersSendingBack(who);
  const taken = await takeReport(world, who, { outcome: 'done', summary, sentBack });
  if (taken === 'late') return lateAnswer(who);
  if (taken === 'accepted') return ACCEPTED;
  const judged = await judgeNow();
  world.wake(who.issue);
  return answerTo(judged, world, who);
}

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

const SAFE: VerbAnswer<'done'> = {
  durable: true,
  says: 'Your report is safe. Its proof cannot be read now; it is judged as soon as it can. End your turn.',
};

function answerTo(judged: Judged, world: World, who: WorkerIdentity): VerbAnswer<'done'> {
  switch (judged.verdict) {
    case 'accepted':
      return ACCEPTED;
    case 'refused':
      return refused(judged.missing ?? 'Something is missing.', judged.gate);
    case 'unknown':
    case 'gate_due':
      return SAFE;
    case 'nothing_to_judge':
      return judgedElsewhere(world, who);
  }
}

function refused(missing: string, gate?: 'red'): VerbAnswer<'done'> {
  const says = `Not accepted yet. ${missing} Then report again.`;
  return { durable: true, accepted: false, missing, gate, says };
}

/** Somebody else was faster with the same report, and what became of it stands in the state. */
function judgedElsewhere(world: World, who: WorkerIdentity): VerbAnswer<'done'> {
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
      return refused(worker.refusal ?? 'Something was missing.', redGateOf(world, who));
  }
}

/** The end of the run may have judged the report before the call that waited for it. */
function redGateOf({ ledger }: World, { issue, mode }: WorkerIdentity): 'red' | undefined {
  const gate = ledger.swarm.issues.get(issue)?.evidence.quality_gate;
  return mode === 'implement' && gate?.verdict === 'failed' ? 'red' : undefined;
}
