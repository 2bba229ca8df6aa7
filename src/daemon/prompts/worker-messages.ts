/**
 * Handles messages to a worker: lists queued messages, marks their sender and delivers them while
 * the worker is running.
 */
import { type HealthLimits, resolveHealthLimits } from '../../core/health/limits.ts';
import { MAX_STOP_EXTENSIONS } from '../../core/health/stop-ladder.ts';
import { describeDuration } from '../../core/model/format.ts';
import { toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { isLive, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import {
  STOP_REQUEST_ID,
  toMessageFileName,
  toMessageId,
  toStatusQuestionId,
  type WorkerMessage,
} from '../../protocol/worker-message.ts';
import type { PortContext, StateContext, WorkerContext } from '../context/daemon-context.ts';
import { quoteText } from './quote-untrusted.ts';

/**
 * Returns the messages queued for this worker. A message is marked as delivered once a turn starts
 * with it.
 */
export function listQueuedMessages(
  state: LegionState,
  { issue, mode }: Pick<WorkerRecord, 'issue' | 'mode'>,
) {
  const worker = toWorkerId(issue, mode);
  return [...state.messages].filter(([, { to, setAside }]) => to === worker && setAside === undefined);
}

const OPENING = 'From operator ';

/**
 * Marks an operator's message to a worker, so that the worker can distinguish it from another
 * worker's message.
 */
export function formatOperatorMessage(by: string, text: string): string {
  return `${OPENING}${by}:\n\n${text}`;
}

/**
 * Returns whether an operator sent the message. A worker's message begins with a fixed opening that
 * its sender cannot change.
 */
export function isFromOperator(body: string): boolean {
  return body.startsWith(OPENING);
}

/**
 * Delivers queued messages to a running worker, which reads them at the end of its turn, or at once
 * if they interrupt.
 *
 * Idempotent: delivering the same message again writes the same file. A message counts as delivered
 * once the worker has read it. If the worker exits before that, the message is in the prompt of its
 * next attempt. Never rejects: messages are safe in the journal, and the next pass over the workers
 * delivers them again.
 */
export async function deliverMessages(context: StateContext & PortContext, id: WorkerId): Promise<void> {
  const worker = context.ledger.state.workers.get(id);
  if (worker === undefined || !canReceiveMessages(worker)) return;
  try {
    for (const [message, { body, interrupt = false }] of listQueuedMessages(context.ledger.state, worker)) {
      const text = isFromOperator(body) ? body : quoteText('untrusted', 'Message from another worker', body);
      const file: WorkerMessage = { id: toMessageId(message), text, interrupt };
      await context.host.deliver(id, worker.attempt, toMessageFileName(file), JSON.stringify(file));
    }
    context.problems.resolve(`messages to ${id}`);
  } catch (error) {
    context.problems.report(`messages to ${id}`, error);
  }
}

/**
 * Asks a running worker to stop, in the middle of its turn if the agent allows that. An agent that
 * does not read messages sees the request in the response to its next verb. Never rejects: a worker
 * that cannot be asked is stopped without an answer.
 */
export async function deliverStopRequest(
  context: StateContext & PortContext,
  { issue, mode, attempt }: WorkerRecord,
  why: string,
): Promise<void> {
  const text = formatStopRequest(why, context.settings().health);
  const file: WorkerMessage = { id: STOP_REQUEST_ID, text, interrupt: true };
  const id = toWorkerId(issue, mode);
  try {
    await context.host.deliver(id, attempt, toMessageFileName(file), JSON.stringify(file));
    context.problems.resolve(`stop request to ${id}`);
  } catch (error) {
    context.problems.report(`stop request to ${id}`, error);
  }
}

/**
 * Asks an idle worker what it is doing, by starting a turn with the question. Returns whether the
 * question was delivered. An agent that reads no messages cannot be asked, which is not evidence
 * against it.
 */
export async function deliverStatusQuestion(
  context: StateContext & PortContext & WorkerContext,
  worker: WorkerRecord,
): Promise<boolean> {
  if (!context.agentOf(worker).agent.receivesMessages || !canReceiveMessages(worker)) return false;
  const file: WorkerMessage = {
    id: toStatusQuestionId(context.clock.now()),
    text: STATUS_QUESTION,
    interrupt: false,
  };
  const id = toWorkerId(worker.issue, worker.mode);
  try {
    await context.host.deliver(id, worker.attempt, toMessageFileName(file), JSON.stringify(file));
    return true;
  } catch {
    return false;
  }
}

const STATUS_QUESTION =
  'Legion asks: your turn ended without a report. Are you still working? If the phase is finished, report it with `done`. If you need a person, use `ask`. If it cannot be done, report `error`. Otherwise continue now.';

/**
 * Maximum length of the reason, enough to recognise it. The reason may contain the name of a
 * board's column.
 */
const MAX_REASON_CHARS = 200;

/** Tells a worker that it is being stopped, and how to ask for more time. */
function formatStopRequest(why: string, overrides: Partial<HealthLimits>): string {
  const { stopWorking } = resolveHealthLimits(overrides);
  const reason = why.replace(/\s+/g, ' ').trim().slice(0, MAX_REASON_CHARS);
  return [
    `Legion asks you to stop${reason === '' ? '' : ` (${reason})`}.`,
    'Save a checkpoint with `legion worker checkpoint`, then end your turn now.',
    `If you must finish something first, run \`legion worker status working REASON\`: you get ${describeDuration(stopWorking)} more, at most ${MAX_STOP_EXTENSIONS} times.`,
    'Otherwise your process will be terminated soon.',
  ].join(' ');
}

/**
 * Returns whether the worker has a process that can receive messages. Workers that are waiting for
 * a person or for quota have none; their next attempt starts with the messages.
 */
function canReceiveMessages({ process, exit, facts }: WorkerRecord): boolean {
  return process !== undefined && exit === undefined && isLive(toLifecycleState(facts));
}

/** Delivers pending messages to every running worker. */
export async function deliverAllMessages(context: StateContext & PortContext): Promise<void> {
  const addressed = new Set([...context.ledger.state.messages.values()].map(({ to }) => to));
  for (const id of addressed) await deliverMessages(context, id);
}
