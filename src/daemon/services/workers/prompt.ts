/**
 * Sends a message to a worker in one of three ways: as the answer that the worker is waiting for,
 * as part of its next turn, or by starting a turn now.
 */
import { randomUUID } from 'node:crypto';
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import { describePendingStop, isLive, toLifecycleState } from '../../../core/model/lifecycle.ts';
import { isFinished, type ObservedStatus, readStatus } from '../../../core/model/status.ts';
import { listOpenQuestions } from '../../../core/state/issues.ts';
import { computeNextSessionVersion } from '../../../core/state/next-attempt.ts';
import type { LegionState, WorkerRecord } from '../../../core/state/state.ts';
import { findPendingStop, STATUSES_WITHOUT_WORKERS } from '../../../core/state/stopping.ts';
import type { PromptAnswer, PromptRequest } from '../../../protocol/workers.ts';
import { toFault } from '../../context/active-problems.ts';
import type {
  DaemonContext,
  PortContext,
  StateContext,
  WorkerContext,
} from '../../context/daemon-context.ts';
import { openEvaluator } from '../../context/evaluator.ts';
import type { LoopControl } from '../../loop/control.ts';
import { deliverMessages, formatOperatorMessage } from '../../prompts/worker-messages.ts';
import { answerQuestion } from '../operator/answer.ts';
import { readIssue } from '../read-outside.ts';
import { requireWorker } from './known-worker.ts';
import { findActiveWorker, refusePausedIssue, refuseWithoutRoom, startOutOfTurn } from './may-start.ts';

export async function promptWorker(
  context: DaemonContext,
  control: LoopControl,
  id: WorkerId,
  { text, by, interrupt, onlyIfWorking = false }: PromptRequest,
): Promise<PromptAnswer> {
  const worker = requireWorker(context.ledger.state, id);
  const status = await refuseIssueAtRest(context, worker);
  if (onlyIfWorking) refuseEndedWorker(context, worker, status);
  const asked = listOpenQuestions(context.ledger.state, worker.issue, new Set()).findLast(
    ({ mode }) => mode === worker.mode,
  );
  if (asked !== undefined && toLifecycleState(worker.facts) === 'waiting-user') {
    const { says } = await answerQuestion(context, worker.issue, asked.question, { text, by });
    return {
      delivery: 'delivered',
      message: asked.question,
      says: `This is the answer it was waiting for. ${says}`,
    };
  }
  const message = await queueMessage(context, worker, formatOperatorMessage(by, text), interrupt);
  const at = findActiveWorker(context.ledger.state, worker.issue);
  if (at !== undefined) {
    if (at.mode === worker.mode) await deliverMessages(context, id);
    return { delivery: 'queued', message, says: describeDelivery(context, worker, at, interrupt) };
  }
  if (onlyIfWorking) {
    const says = 'It has just ended and receives this if it starts again.';
    return { delivery: 'queued', message, says };
  }
  return startWithMessage(context, control, worker, message);
}

/**
 * Refuses to prompt a worker of a finished or paused issue, because a new turn would start work on
 * that issue. A worker that is already running can be prompted.
 */
async function refuseIssueAtRest(
  context: StateContext & PortContext,
  { issue }: WorkerRecord,
): Promise<ObservedStatus> {
  const { column, labels } = await readIssue(context, issue);
  const status = readStatus(column, context.settings().columns);
  const { state } = context.ledger;
  if (findActiveWorker(state, issue) !== undefined) return status;
  if (isFinished(status))
    throw new LegionError('issue.over', `${issue} is ${column}. The prompt was not sent.`);
  refusePausedIssue(state, issue, labels);
  return status;
}

/**
 * Queues a message for the worker. Undeliverable messages that were set aside for the worker are
 * marked as delivered too, because a person who prompts the worker has seen them.
 */
async function queueMessage(
  context: StateContext,
  { issue, mode }: WorkerRecord,
  body: string,
  interrupt: boolean,
): Promise<number> {
  const to = toWorkerId(issue, mode);
  const key = randomUUID();
  const appended = await context.ledger.append((state): EventBody[] => [
    {
      type: 'message.queued',
      message: state.lastMessage + 1,
      to,
      key,
      body,
      ...(interrupt ? { interrupt } : {}),
    },
    ...listSetAsideNumbers(state, to).map((message): EventBody => ({ type: 'message.delivered', message })),
  ]);
  const queued = appended.find((event) => event.type === 'message.queued');
  return queued?.message ?? context.ledger.state.lastMessage;
}

/**
 * Starts a turn with the queued message. A worker that cannot start at the moment receives the
 * message when it starts.
 */
async function startWithMessage(
  context: DaemonContext,
  control: LoopControl,
  worker: WorkerRecord,
  message: number,
): Promise<PromptAnswer> {
  const { issue, mode } = worker;
  const stopping = findPendingStop(context.ledger.state, worker, context.settings().health);
  if (stopping !== undefined) {
    const state = describePendingStop(stopping, context.clock.now());
    const says = `It is ${state} and receives this when it starts again. ${describeNextStart(context, worker)}`;
    return { delivery: 'queued', message, says };
  }
  const order = { issue, mode, purpose: 'operator', version: computeNextSessionVersion(worker) } as const;
  try {
    await refuseWithoutRoom(context, issue, mode);
    await startOutOfTurn(context, control, order, () => []);
  } catch (error) {
    const { message: why, next } = toFault(error);
    return {
      delivery: 'queued',
      message,
      says: `It cannot start at the moment (${why}) and receives this when it starts. ${next}`,
    };
  }
  return { delivery: 'delivered', message, says: `${toWorkerId(issue, mode)} continues with this now.` };
}

/** Describes how a worker whose process has not exited yet will be started again. */
function describeNextStart(context: DaemonContext, { issue, mode }: WorkerRecord): string {
  if (context.ledger.state.breaker.open !== undefined)
    return 'No worker can start at the moment. Run `legion resume`.';
  const seen = context.boardView.find(issue);
  const isDue = seen !== undefined && openEvaluator(context).evaluate(seen).decision.mode === mode;
  if (!isDue) return `Run \`legion dispatch ${issue} ${mode} --force\` when its process has exited.`;
  return context.settings().autoAdvance
    ? 'It starts again automatically when its process has exited.'
    : `Run \`legion advance ${issue}\` when its process has exited.`;
}

function describeDelivery(
  context: WorkerContext,
  worker: WorkerRecord,
  at: WorkerRecord,
  interrupt: boolean,
): string {
  const state = toLifecycleState(at.facts);
  if (at.mode !== worker.mode)
    return `${toWorkerId(at.issue, at.mode)} is ${state}; ${toWorkerId(worker.issue, worker.mode)} receives this with its next turn.`;
  if (!isLive(state)) return `It is ${state} and receives this when it continues.`;
  if (!context.agentOf(at).agent.receivesMessages)
    return 'It is working and receives this with its next turn.';
  return interrupt
    ? 'Its turn is interrupted, and it continues with this message.'
    : 'It is working and reads this at the end of its turn, before its report is accepted.';
}

function listSetAsideNumbers(state: LegionState, worker: WorkerId): number[] {
  return [...state.messages]
    .filter(([, { to, setAside }]) => to === worker && setAside !== undefined)
    .map(([message]) => message);
}

/**
 * Refuses a message that is meant only for a running worker, and says when it can be sent. A
 * crashed worker is refused too, because its phase may be over. `status` is the status of the
 * worker's issue.
 */
function refuseEndedWorker(context: StateContext, worker: WorkerRecord, status: ObservedStatus): void {
  const { issue, mode, facts } = worker;
  const { state: legion } = context.ledger;
  const at = findActiveWorker(legion, issue);
  if (at?.mode === mode) return;
  const stopping = findPendingStop(legion, worker, context.settings().health);
  const state =
    stopping === undefined ? toLifecycleState(facts) : describePendingStop(stopping, context.clock.now());
  const now = at === undefined ? '' : ` Now ${toWorkerId(issue, at.mode)} is ${toLifecycleState(at.facts)}.`;
  const message = `${toWorkerId(issue, mode)} is ${state}, so the message was not sent.${now}`;
  const startsAgain = stopping !== undefined && at === undefined && !STATUSES_WITHOUT_WORKERS.has(status);
  const next = startsAgain ? describeRestart(context, worker) : describeAlternatives(worker, at);
  throw new LegionError('worker.ended', message, { next });
}

/**
 * Says when the worker starts again. The issue is not paused here: if the stop had also paused it,
 * the message would have been refused earlier.
 */
function describeRestart({ ledger, settings }: StateContext, { issue }: WorkerRecord): string {
  if (ledger.state.breaker.open !== undefined)
    return 'No worker can start at the moment. Run `legion resume`, then send the message again when the worker is running.';
  return settings().autoAdvance
    ? 'It starts again automatically when its process has exited; send the message again then.'
    : `Run \`legion advance ${issue}\` when its process has exited, then send the message again.`;
}

function describeAlternatives({ issue, mode }: WorkerRecord, at: WorkerRecord | undefined): string {
  const restart = `\`legion prompt ${issue} --mode ${mode} "…"\``;
  return at === undefined
    ? `Run ${restart} to start it again.`
    : `Run \`legion view ${issue}\` to talk to the running worker, or ${restart} to leave a message for this one.`;
}
