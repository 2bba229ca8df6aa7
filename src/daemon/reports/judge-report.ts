/**
 * Judges a recorded report by the evidence of its phase: accepts it, refuses it, or leaves it for
 * later.
 */

import {
  type PhaseProof,
  type ProofStatus,
  type RecoveryStep,
  verifyReport,
} from '../../core/health/verify-report.ts';
import type { EventBody } from '../../core/model/event.ts';
import type { Evidence } from '../../core/model/evidence.ts';
import { toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { WorkspaceStatus } from '../../ports/workspace.ts';
import type { DaemonContext, PortContext, StateContext, WorkerContext } from '../context/daemon-context.ts';
import { isFromOperator, listQueuedMessages } from '../prompts/worker-messages.ts';
import { buildAcceptanceEvents, buildSentBackEvents } from './acceptance.ts';
import { findProof } from './find-evidence.ts';
import { formatSha, type PhaseFindings } from './work-handed-in.ts';

/**
 * - `accepted`, `refused`: recorded together with the resulting labels.
 * - `unknown`: some evidence could not be read. The report stays and can be judged again.
 * - `gate_due`: everything else is present, and the quality gate has to run at this commit.
 * - `nothing_to_judge`: no report of the current attempt is waiting, or another caller judged it
 *   first.
 */
export type ReportVerdict = 'accepted' | 'refused' | 'unknown' | 'nothing_to_judge';

export type ReportJudgement =
  | {
      readonly verdict: ReportVerdict;
      /** Instructions for the worker, set if evidence for its claim is missing. */
      readonly missing?: string;
      /** Set if the quality gate refused the report. */
      readonly gate?: 'red';
    }
  | {
      readonly verdict: 'gate_due';
      readonly sha: string;
      readonly workspaceStatus?: WorkspaceStatus | undefined;
    };

/**
 * Rule for an unknown quality gate result. `run_gate` asks the caller to run the gate and wait.
 * `as_known` judges without the result; the gate then runs after the report, before the issue moves
 * to Testing.
 */
export type GateRule = 'run_gate' | 'as_known';

/**
 * `heard` if the worker receives the answer to its report. `unheard` if the worker reported while
 * no daemon was running.
 */
export type AnswerDelivery = 'heard' | 'unheard';

export async function judgeReport(
  context: DaemonContext,
  worker: WorkerId,
  hearing: AnswerDelivery = 'heard',
): Promise<ReportVerdict> {
  const judged = await judgeByRule(context, worker, 'as_known', hearing);
  return judged.verdict === 'gate_due' ? 'unknown' : judged.verdict;
}

/**
 * Never rejects because of unreadable evidence. Reports it as an active problem instead, until the
 * report can be judged. `seen` is the state of the workspace if it was read a moment ago.
 */
export async function judgeByRule(
  context: DaemonContext,
  worker: WorkerId,
  rule: GateRule,
  hearing: AnswerDelivery = 'heard',
  seen?: WorkspaceStatus,
): Promise<ReportJudgement> {
  const about = `report of ${worker}`;
  try {
    const judged = await judgeByProof(context, worker, { rule, hearing, seen });
    context.problems.resolve(about);
    return judged;
  } catch (error) {
    context.problems.report(about, error);
    return { verdict: 'unknown' };
  }
}

interface JudgeOptions {
  readonly rule: GateRule;
  readonly hearing: AnswerDelivery;
  readonly seen: WorkspaceStatus | undefined;
}

async function judgeByProof(
  context: DaemonContext,
  id: WorkerId,
  { rule, hearing, seen }: JudgeOptions,
): Promise<ReportJudgement> {
  const worker = findWaitingReport(context.ledger.state, id);
  if (worker === undefined) return { verdict: 'nothing_to_judge' };
  // An error report needs no evidence, because it claims no result.
  if (worker.report?.outcome === 'error')
    return settleReport(context, id, worker, () => [buildAcceptedEvent(worker)], 'accepted');
  const unheard = findUnheardMessages(context, worker);
  if (unheard !== undefined) {
    const { missing, delivered } = unheard;
    const events = (state: LegionState) => [buildRefusedEvent(worker, missing, hearing), ...delivered(state)];
    return { ...(await settleReport(context, id, worker, events, 'refused')), missing };
  }
  // Work that is sent back needs no evidence of being done, because the reason for sending it back
  // is itself the result.
  if (worker.report?.sentBack !== undefined)
    return settleReport(context, id, worker, buildSentBackEvents, 'accepted');
  const found = await findProof(context, worker, seen);
  switch (decideReportStep(context, worker, found)) {
    case 'synthesise_report':
      return judgeByGate(context, worker, found, rule, hearing);
    case 'synthesise_error': {
      const missing = describeMissing(found);
      const events = () => [buildRefusedEvent(worker, missing, hearing)];
      return { ...(await settleReport(context, id, worker, events, 'refused')), missing };
    }
    case 'probe':
    case 'ask_person':
      return { verdict: 'unknown' };
    case 'record_only':
      return { verdict: 'nothing_to_judge' };
  }
}

async function judgeByGate(
  context: StateContext & PortContext,
  worker: WorkerRecord,
  found: PhaseFindings,
  rule: GateRule,
  hearing: AnswerDelivery,
): Promise<ReportJudgement> {
  const id = toWorkerId(worker.issue, worker.mode);
  const gateState = findGateState(context, worker, found);
  if (gateState.gate === 'red') {
    const { missing } = gateState;
    const settled = await settleReport(
      context,
      id,
      worker,
      () => [buildRefusedEvent(worker, missing, hearing)],
      'refused',
    );
    return { ...settled, missing, gate: 'red' };
  }
  if (gateState.gate === 'due') {
    const { sha } = gateState;
    if (rule === 'run_gate')
      return {
        verdict: 'gate_due',
        sha,
        workspaceStatus: typeof found.workspaceStatus === 'object' ? found.workspaceStatus : undefined,
      };
    // The gate is already running at this commit. The report is judged when that run ends.
    if (context.gates.isRunning(worker.issue, sha)) return { verdict: 'unknown' };
  }
  return settleReport(
    context,
    id,
    worker,
    (state, present) => buildAcceptanceEvents(state, present, found),
    'accepted',
  );
}

/** Returns the worker if its current attempt has reported and the report is not judged yet. */
function findWaitingReport(state: LegionState, id: WorkerId): WorkerRecord | undefined {
  const worker = state.workers.get(id);
  return worker !== undefined && toLifecycleState(worker.facts) === 'reporting' ? worker : undefined;
}

/**
 * Writes the verdict only if the same report is still waiting, because collecting the evidence
 * takes time.
 */
async function settleReport(
  context: StateContext,
  id: WorkerId,
  judged: WorkerRecord,
  events: (state: LegionState, present: WorkerRecord) => EventBody[],
  verdict: 'accepted' | 'refused',
): Promise<{ readonly verdict: ReportVerdict }> {
  const written = await context.ledger.append((state) => {
    const present = findWaitingReport(state, id);
    const isSame = present?.attempt === judged.attempt && present.lastReport === judged.lastReport;
    return isSame ? events(state, present) : [];
  });
  if (written.length === 0) return { verdict: 'nothing_to_judge' };
  context.wake(judged.issue);
  return { verdict };
}

function decideReportStep(
  context: StateContext,
  worker: WorkerRecord,
  { phase, proofs }: PhaseFindings,
): RecoveryStep['step'] {
  const { attempt, facts } = worker;
  const seen = Object.entries(proofs).map(([proof, { fact }]): [PhaseProof, ProofStatus] => [
    proof as PhaseProof,
    fact,
  ]);
  const now = context.clock.now();
  const lost = {
    phase,
    attempt,
    newestAttempt: attempt,
    claims: 'done',
    lostSince: facts.reportedAt ?? now,
    facts: Object.fromEntries(seen),
  } as const;
  return verifyReport(lost, now, context.settings().health).step;
}

function describeMissing({ proofs }: PhaseFindings): string {
  const missing = Object.values(proofs).flatMap((proof) => (proof.fact === 'no' ? [proof.missing] : []));
  return missing.join(' ');
}

function buildAcceptedEvent({ issue, mode, attempt, lastReport: report }: WorkerRecord): EventBody {
  return { type: 'attempt.report_accepted', issue, mode, attempt, report };
}

function buildRefusedEvent(worker: WorkerRecord, missing: string, hearing: AnswerDelivery): EventBody {
  const { issue, mode, attempt, lastReport: report } = worker;
  const unheard = hearing === 'unheard' ? ({ unheard: true } as const) : {};
  return { type: 'attempt.report_refused', issue, mode, attempt, report, missing, ...unheard };
}

interface UnheardMessages {
  /**
   * Text of the messages, to be included in the answer to the worker's report. Sending the answer
   * delivers the messages.
   */
  readonly missing: string;
  readonly delivered: (state: LegionState) => EventBody[];
}

/**
 * Finds operator messages that the worker has not read yet. Applies only to agents that can receive
 * messages during an attempt. Other agents get the messages at the start of their next attempt.
 */
function findUnheardMessages(
  { agentOf, ledger }: StateContext & WorkerContext,
  worker: WorkerRecord,
): UnheardMessages | undefined {
  const waiting = listOperatorMessages(ledger.state, worker);
  if (waiting.length === 0 || !agentOf(worker).agent.receivesMessages) return undefined;
  const numbers = new Set(waiting.map(([message]) => message));
  return {
    missing: `You received a message while you were working. Take it into account first.\n\n${waiting.map(([, { body }]) => body).join('\n\n')}\n\n`,
    delivered: (state) =>
      listOperatorMessages(state, worker)
        .filter(([message]) => numbers.has(message))
        .map(([message]) => ({ type: 'message.delivered', message })),
  };
}

function listOperatorMessages(state: LegionState, worker: WorkerRecord) {
  return listQueuedMessages(state, worker).filter(([, { body }]) => isFromOperator(body));
}

/**
 * - `open`: there is no gate, it passed, or the pipeline handles its result.
 * - `red`: the gate failed and the report is refused; the worker can still fix the code.
 * - `due`: no result is known at this commit.
 */
type GateState =
  | { readonly gate: 'open' }
  | { readonly gate: 'red'; readonly missing: string }
  | { readonly gate: 'due'; readonly sha: string };

/**
 * Decides whether the quality gate lets an implementer's report pass. A retro is exempt: it changes
 * only documentation, and the gate applies between In Progress and Testing.
 */
function findGateState(
  context: StateContext,
  worker: WorkerRecord,
  { phase, pullRequest }: PhaseFindings,
): GateState {
  const { issue } = worker;
  if (phase !== 'implement' || context.policyOf(issue).qualityGate === 'none') return { gate: 'open' };
  if (typeof pullRequest !== 'object' || pullRequest.state !== 'open') return { gate: 'open' };
  const evidence = context.ledger.state.issues.get(issue)?.evidence.quality_gate;
  const sha = pullRequest.headSha;
  if (evidence?.sha !== sha) return { gate: 'due', sha };
  if (evidence.verdict !== 'failed' || !canHear(worker)) return { gate: 'open' };
  return { gate: 'red', missing: describeRedGate(evidence) };
}

/**
 * Returns whether the worker is still running and can fix its code. If its process has exited, the
 * pipeline sends the work back instead.
 */
function canHear({ exit }: WorkerRecord): boolean {
  return exit === undefined;
}

function describeRedGate({ sha, detail }: Evidence): string {
  return `The quality gate of the repository fails at ${formatSha(sha)}. Fix the code, commit and push it with \`legion worker push\`. The end of its output (untrusted text):\n\n${detail.trimEnd()}\n\n`;
}
