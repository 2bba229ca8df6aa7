/** Carries out the next step that the health judgement of an attempt requires. */

import type { HealthEvidence, Suspicion } from '../../core/health/evidence.ts';
import type { HealthJudgement } from '../../core/health/judgement.ts';
import { clearFlag, markProbeFailed, markProbeSent, setFlag } from '../../core/health/suspicion.ts';
import { formatAgentChoice } from '../../core/model/agent-choice.ts';
import type { Command } from '../../core/model/command.ts';
import type { EventBody } from '../../core/model/event.ts';
import { toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import { chooseAgent } from '../../core/state/next-attempt.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import type { DaemonContext, StateContext, WorkerContext } from '../context/daemon-context.ts';
import { deliverStatusQuestion } from '../prompts/worker-messages.ts';
import { judgeReport } from '../reports/judge-report.ts';
import type { AttemptMemory } from './evidence.ts';

/**
 * Notifies a person. Does not wait for the comment, because other workers must be judged. The key
 * ensures that only one comment is posted.
 */
export type EscalationSender = (command: Extract<Command, { kind: 'escalate' }>) => void;

/** One attempt with its evidence and judgement. */
interface JudgedAttempt {
  readonly worker: WorkerRecord;
  readonly evidence: HealthEvidence;
  readonly judgement: HealthJudgement;
  readonly memory: AttemptMemory;
  /** Whether the agent has no session to resume. */
  readonly isSessionLost: boolean;
  /** Text of the agent's last error. */
  readonly lastError: string | undefined;
}

/** Carries out the judgement. Resolves to the facts that the next pass needs to remember. */
export async function applyVerdict(
  context: DaemonContext,
  found: JudgedAttempt,
  tell: EscalationSender,
): Promise<AttemptMemory> {
  const { worker, evidence, judgement, memory } = found;
  const now = context.clock.now();
  const { suspicion } = memory;
  switch (judgement.next) {
    case 'leave_alone':
    case 'reap_at_cleanup':
      return memory;
    case 'flag':
      return { ...memory, suspicion: setFlag(evidence, now) };
    case 'clear':
      return { ...memory, suspicion: clearFlag(now) };
    case 'examine':
      return suspicion.flagged
        ? { ...memory, suspicion: markProbeSent(suspicion, evidence, 'examine', now) }
        : memory;
    case 'probe_ask':
      return suspicion.flagged ? askForStatus(context, found, suspicion, now) : memory;
    case 'recover_report':
      await recoverReport(context, worker);
      return memory;
    case 'hold_for_quota':
    case 'resume_after_quota':
    case 'confirm_crash':
    case 'replace_once':
    case 'dispatch':
      await recordVerdict(context, found);
      return memory;
    case 'stop_and_report':
      await recordVerdict(context, found);
      return notifyPerson(worker, judgement, memory, tell, now);
    case 'remind':
    case 'ask_person':
    case 'report_corruption':
      return notifyPerson(worker, judgement, memory, tell, now);
  }
}

/** A question that could not be delivered is not evidence against the worker. */
async function askForStatus(
  context: DaemonContext,
  { worker, evidence, memory }: JudgedAttempt,
  flag: Extract<Suspicion, { flagged: true }>,
  now: number,
): Promise<AttemptMemory> {
  if (!(await deliverStatusQuestion(context, worker)))
    return { ...memory, suspicion: markProbeFailed(flag, 'ask', now) };
  return {
    ...memory,
    questionsAsked: memory.questionsAsked + 1,
    suspicion: markProbeSent(flag, evidence, 'ask', now),
  };
}

async function recordVerdict({ ledger, wake }: StateContext, found: JudgedAttempt): Promise<void> {
  const { issue, mode, attempt } = found.worker;
  await ledger.append((state) => {
    const present = state.workers.get(toWorkerId(issue, mode));
    return present?.attempt === attempt ? [buildVerdictEvent(present, found)] : [];
  });
  wake(issue);
}

function buildVerdictEvent(worker: WorkerRecord, found: JudgedAttempt): EventBody {
  const { evidence: seen, judgement, isSessionLost, lastError } = found;
  const { rateLimit, suspicion } = seen;
  const { issue, mode, attempt, lastWait } = worker;
  const about = { issue, mode, attempt };
  if (judgement.next === 'hold_for_quota') {
    const resetAt = typeof rateLimit === 'object' ? rateLimit.resetAt : 'unknown';
    const until = resetAt === 'unknown' ? {} : { until: resetAt };
    return { type: 'attempt.waiting', ...about, wait: lastWait + 1, for: 'quota', ...until };
  }
  if (judgement.next === 'resume_after_quota') {
    // The attempt is not recorded as crashed: its process exited long ago, and its session
    // continues in another attempt.
    return { type: 'attempt.stopped', ...about, why: judgement.why };
  }
  if (worker.refusedUnheard === true && worker.exit?.code === 0) {
    // The worker believed that it was done, so the prompt of the next attempt says what its report
    // lacked.
    const why =
      'It reported while no daemon could answer, and the report was refused after the worker had exited.';
    return { type: 'attempt.stopped', ...about, why };
  }
  // Includes the agent's last error, so that the person who decides need not search a log.
  const why =
    lastError === undefined ? judgement.why : `${judgement.why} The agent’s last error: ${lastError}`;
  const evidence = [why, ...judgement.grounds.map((ground) => `ground=${ground}`), ...judgement.evidence];
  const flagged = suspicion.flagged ? { flaggedAt: suspicion.since } : {};
  const session = isSessionLost ? ({ session: 'lost' } as const) : {};
  const error = lastError === undefined ? {} : { error: lastError };
  return { type: 'attempt.crashed', ...about, evidence, ...flagged, ...session, ...error };
}

function notifyPerson(
  { issue, mode, attempt }: WorkerRecord,
  { next, why, wouldChange, evidence }: HealthJudgement,
  memory: AttemptMemory,
  tell: EscalationSender,
  now: number,
): AttemptMemory {
  const text = [
    `${mode} worker, attempt ${attempt}: ${why}`,
    wouldChange,
    ...evidence.map((fact) => `- ${fact}`),
  ];
  // The key of a reminder contains the time, so that the reminder can be sent again each day. Any
  // other notification is sent only once.
  const key = `${issue}:${mode}:${attempt}:${next}${next === 'remind' ? `:${now}` : ''}`;
  tell({ kind: 'escalate', issue, key, text: text.join('\n') });
  return { ...memory, personToldAt: now };
}

/**
 * Switches a worker that is waiting for its provider's quota to another agent, if one is configured
 * and ready. Ends the wait as a quota reset would: the attempt is not recorded as crashed, and
 * another attempt continues from the checkpoint.
 */
export async function switchAgent(context: StateContext & WorkerContext, id: WorkerId): Promise<void> {
  const { ledger, wake } = context;
  const present = ledger.state.workers.get(id);
  if (present === undefined || findOtherAgent(context, ledger.state, present) === undefined) return;
  await ledger.append((state) => {
    const worker = state.workers.get(id);
    const other = worker === undefined ? undefined : findOtherAgent(context, state, worker);
    if (worker === undefined || other === undefined) return [];
    const { issue, mode, attempt } = worker;
    const why = `Its provider refused it for lack of quota. It continues with ${other}.`;
    return [{ type: 'attempt.stopped', issue, mode, attempt, why }];
  });
  wake(present.issue);
}

function findOtherAgent(
  context: StateContext & WorkerContext,
  state: LegionState,
  worker: WorkerRecord,
): string | undefined {
  const { mode, agent, model, facts } = worker;
  if (toLifecycleState(facts) !== 'waiting-quota' || agent === undefined) return undefined;
  const { agents, clock, settings } = context;
  const chosen = chooseAgent(state, mode, { agents, now: clock.now(), health: settings().health });
  if (!('choice' in chosen)) return undefined;
  const isSame = chosen.choice.agent === agent && chosen.choice.model === model;
  return isSame ? undefined : formatAgentChoice(chosen.choice);
}

/**
 * Used in place of the report's text, which was lost with the journal. The done flag shows only
 * that a report was made and of which kind it was.
 */
const LOST_SUMMARY = 'recovered from the done flag; the text was lost';

/**
 * Recovers a report that was made but never took effect, and judges it by its evidence like any
 * other report.
 */
async function recoverReport(context: DaemonContext, worker: WorkerRecord): Promise<void> {
  const { issue, mode, attempt } = worker;
  const id = toWorkerId(issue, mode);
  if (toLifecycleState(worker.facts) !== 'reporting') {
    const left = await context.findPendingReport(id, attempt);
    if (typeof left !== 'object') return;
    // Requesting a pass over the whole board is enough, because every such pass imports the
    // outboxes.
    if (left.where === 'outbox') return context.wake();
    await recordLostReport(context, worker, left.outcome);
  }
  await judgeReport(context, id, 'unheard');
}

/**
 * Records the lost report once: if the journal already has a report of this attempt, the flag adds
 * nothing.
 */
async function recordLostReport(
  { ledger, wake }: StateContext,
  { issue, mode, attempt }: WorkerRecord,
  outcome: 'done' | 'error',
): Promise<void> {
  await ledger.append((state) => {
    const present = state.workers.get(toWorkerId(issue, mode));
    if (present?.attempt !== attempt || present.lastReport > 0) return [];
    const about = { issue, mode, attempt, report: 1 };
    const reported: EventBody = { type: 'attempt.reported', ...about, outcome, summary: LOST_SUMMARY };
    // An error report makes no claim that needs evidence.
    return outcome === 'error' ? [reported, { type: 'attempt.report_accepted', ...about }] : [reported];
  });
  wake(issue);
}
