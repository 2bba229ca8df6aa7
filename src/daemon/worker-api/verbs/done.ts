/** Verbs that report the end of a phase: `done` and `error`. */
import { LegionError } from '../../../core/model/fault.ts';
import type { WorkerIdentity } from '../../../core/model/ids.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { toLifecycleState } from '../../../core/model/lifecycle.ts';
import type { Mode } from '../../../core/model/mode.ts';
import type { VerbAnswer } from '../../../protocol/verb.ts';
import { MODES_THAT_SEND_BACK, type VerbInput } from '../../../protocol/verb.ts';
import type { StateContext } from '../../context/daemon-context.ts';
import { judgeByRule, type ReportJudgement } from '../../reports/judge-report.ts';
import { buildLateAnswer, judgeWithGate, recordReport } from '../take-report.ts';
import type { VerbHandler } from '../verb-handler.ts';

/**
 * `done`: records the report durably, then judges it by the evidence of its phase. The worker is
 * waiting for the answer, so the quality gate runs before the report is judged.
 */
export const handleDone: VerbHandler<'done'> = (context, who, input) => {
  // Reads the workspace while the report is being recorded. If the read fails, the judgement reads
  // it again.
  const seen = WORKS_IN_WORKSPACE.includes(who.mode)
    ? context.workspaces.readStatus(who.issue).catch(() => undefined)
    : undefined;
  return handleReport(context, who, input, async () => judgeWithGate(context, who, await seen));
};

/** Modes whose report depends on the state of the workspace. */
const WORKS_IN_WORKSPACE: readonly Mode[] = ['architect', 'plan', 'implement'];

/**
 * Handles a report found in an outbox. No caller is waiting for the answer, so the quality gate
 * runs after the report is judged.
 */
export const handleStoredDone: VerbHandler<'done'> = (context, who, input) =>
  handleReport(context, who, input, () =>
    judgeByRule(context, toWorkerId(who.issue, who.mode), 'as_known', 'unheard'),
  );

async function handleReport(
  context: StateContext,
  who: WorkerIdentity,
  { summary, sentBack }: VerbInput<'done'>,
  judgeNow: () => Promise<ReportJudgement>,
): Promise<VerbAnswer<'done'>> {
  if (sentBack !== undefined) refuseOthersSendingBack(who);
  const receipt = await recordReport(context, who, { outcome: 'done', summary, sentBack });
  if (receipt === 'late') return buildLateAnswer(who);
  if (receipt === 'accepted') return ACCEPTED;
  const judged = await judgeNow();
  context.wake(who.issue);
  return toDoneAnswer(judged, context, who);
}

/**
 * Refuses to send work back from other modes: an implementer has no earlier worker to send it to,
 * and a reviewer requests changes in its review.
 */
function refuseOthersSendingBack({ mode }: WorkerIdentity): void {
  if (MODES_THAT_SEND_BACK.includes(mode)) return;
  throw new LegionError(
    'worker.not_for_mode',
    `done with sentBack is not available in mode ${mode}. Valid modes: ${MODES_THAT_SEND_BACK.join(', ')}.`,
  );
}

const ACCEPTED: VerbAnswer<'done'> = {
  durable: true,
  accepted: true,
  says: 'Your report is accepted: this phase is done. End your turn.',
};

const RECORDED: VerbAnswer<'done'> = {
  durable: true,
  says: 'Your report is saved. Its evidence cannot be read at the moment; Legion will judge it as soon as possible. End your turn.',
};

function toDoneAnswer(
  judged: ReportJudgement,
  context: StateContext,
  who: WorkerIdentity,
): VerbAnswer<'done'> {
  switch (judged.verdict) {
    case 'accepted':
      return ACCEPTED;
    case 'refused':
      return createRefusedAnswer(judged.missing ?? 'Something is missing.', judged.gate);
    case 'unknown':
    case 'gate_due':
      return RECORDED;
    case 'nothing_to_judge':
      return answerJudgedElsewhere(context, who);
  }
}

function createRefusedAnswer(missing: string, gate?: 'red'): VerbAnswer<'done'> {
  const says = `Not accepted yet. ${missing} Then report again.`;
  return { durable: true, accepted: false, missing, gate, says };
}

/** If another caller has already judged the same report, builds the answer from the state. */
function answerJudgedElsewhere(context: StateContext, who: WorkerIdentity): VerbAnswer<'done'> {
  const worker = context.ledger.state.workers.get(toWorkerId(who.issue, who.mode));
  if (worker === undefined || worker.attempt !== who.attempt) return buildLateAnswer(who);
  switch (toLifecycleState(worker.facts)) {
    case 'finished':
      return ACCEPTED;
    case 'crashed':
    case 'paused':
    case 'stopped':
      return buildLateAnswer(who);
    case 'spawned':
    case 'executing':
    case 'reporting':
    case 'waiting-user':
    case 'waiting-quota':
      return createRefusedAnswer(worker.refusal ?? 'Something was missing.', findRedGate(context, who));
  }
}

/**
 * Returns `red` if the report was refused because of a red quality gate. The report may have been
 * judged when the gate run ended, before the waiting call could do so.
 */
function findRedGate({ ledger }: StateContext, { issue, mode }: WorkerIdentity): 'red' | undefined {
  const gate = ledger.state.issues.get(issue)?.evidence.quality_gate;
  return mode === 'implement' && gate?.verdict === 'failed' ? 'red' : undefined;
}

/**
 * `error`: reports that the phase cannot be finished and ends the attempt. The pipeline decides
 * whether another attempt follows.
 */
export const handleError: VerbHandler<'error'> = async (context, who, { summary }) => {
  const receipt = await recordReport(context, who, { outcome: 'error', summary });
  if (receipt === 'late') return buildLateAnswer(who);
  context.wake(who.issue);
  return { durable: true, accepted: true, says: 'Your report is recorded. End your turn.' };
};
