/** Verbs that address a worker or a person: `message`, `comment` and `ask`. */
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import { toWorkerId } from '../../../core/model/ids.ts';
import { toLifecycleState } from '../../../core/model/lifecycle.ts';
import type { Mode } from '../../../core/model/mode.ts';
import type { IssueRecord, LegionState } from '../../../core/state/state.ts';
import { appendAs, buildCommentKey, buildMessageKey } from '../attempt-guard.ts';
import { createNotReadyError, type VerbHandler } from '../verb-handler.ts';

/**
 * Maximum number of undelivered messages from one sender. A higher number suggests that workers are
 * messaging each other endlessly, and each message costs the receiver a turn.
 */
const MAX_WAITING_MESSAGES = 20;

/**
 * `message`: queues a message for another worker. The message is delivered when that worker is
 * idle.
 */
export const handleMessage: VerbHandler<'message'> = async (context, who, { to: given, text }) => {
  // The opening lets the receiver distinguish a worker's message from an operator's.
  const opening = `From worker ${toWorkerId(who.issue, who.mode)}:\n\n`;
  // Worker ids are in lower case.
  const to = given.toLowerCase();
  const key = buildMessageKey(who, to, text);
  let number = 0;
  await appendAs(context, who, ({ state }) => {
    const known = findMessageNumber(state, key);
    number = known ?? state.lastMessage + 1;
    if (known !== undefined) return [];
    refuseUnknown(state, to);
    refuseFlood(state, opening);
    return [{ type: 'message.queued', message: number, to, key, body: `${opening}${text}` }];
  });
  const receiver = context.ledger.state.workers.get(to);
  if (receiver !== undefined) context.wake(receiver.issue);
  return {
    message: number,
    says: `Message ${number} is queued for ${to} and is delivered when that worker is idle.`,
  };
};

/**
 * Refuses a message to an unknown worker. It could never be delivered, and the sender would believe
 * that it had been sent.
 */
function refuseUnknown(state: LegionState, to: string): void {
  if (state.workers.has(to)) return;
  throw new LegionError(
    'message.no_recipient',
    `No worker has the id ${quoteText(to)}. The message was not sent.`,
  );
}

function refuseFlood(state: LegionState, opening: string): void {
  const waiting = [...state.messages.values()].filter(({ body }) => body.startsWith(opening)).length;
  if (waiting >= MAX_WAITING_MESSAGES)
    throw createNotReadyError(
      `${waiting} of your messages have not been delivered yet. Wait before you send more.`,
    );
}

function findMessageNumber(state: LegionState, key: string): number | undefined {
  for (const [number, queued] of state.messages) if (queued.key === key) return number;
  return undefined;
}

/** `comment`: posts a comment on the issue, once per key. */
export const handleComment: VerbHandler<'comment'> = async ({ tracker }, who, { text, key }) => {
  await tracker.comment(who.issue, buildCommentKey(who, key, text), text);
  return { says: 'Your comment is on the issue.' };
};

/**
 * `ask`: records the question, the wait for a person's answer and the label in one append. An open
 * question is recorded only once, even if a later attempt asks it again.
 */
export const handleAsk: VerbHandler<'ask'> = async (context, who, { question: text }) => {
  const { issue, mode, attempt } = who;
  let question = 0;
  await appendAs(context, who, ({ worker, record }) => {
    const known = openQuestion(record, mode, text);
    question = known ?? record.lastQuestion + 1;
    if (known !== undefined && toLifecycleState(worker.facts) === 'waiting-user') return [];
    return [
      ...(known === undefined
        ? [{ type: 'question.asked', issue, mode, attempt, question, text } as const]
        : []),
      { type: 'attempt.waiting', issue, mode, attempt, wait: worker.lastWait + 1, for: 'user' },
      { type: 'labels.owed', issue, revision: record.lastOwed + 1, add: ['user-input-needed'], remove: [] },
    ];
  });
  context.wake(issue);
  const says = `Question ${question} was sent to a person. End your turn now: your next turn starts with the answer.`;
  return { question, says };
};

function openQuestion({ questions }: IssueRecord, mode: Mode, text: string): number | undefined {
  const found = Object.entries(questions).find(
    ([, asked]) => asked.mode === mode && asked.text === text && asked.answer === undefined,
  );
  return found === undefined ? undefined : Number(found[0]);
}
