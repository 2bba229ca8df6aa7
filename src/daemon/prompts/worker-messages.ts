/**
 * Handles messages to a worker: lists queued messages, marks their sender and delivers them while
 * the worker is running.
 */
import { toWorkerId, type WorkerId } from '../../core/model/ids.ts';
import { isLive, toLifecycleState } from '../../core/model/lifecycle.ts';
import type { LegionState, WorkerRecord } from '../../core/state/state.ts';
import { toMessageFileName, toMessageId, type WorkerMessage } from '../../protocol/worker-message.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
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
