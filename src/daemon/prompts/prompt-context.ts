/**
 * Collects the prompt context besides the issue: details of the reason, answers, previous work and
 * messages.
 */

import type { Command } from '../../core/model/command.ts';
import { toWorkerId } from '../../core/model/ids.ts';
import type { IssueRecord, LegionState } from '../../core/state/state.ts';
import type { PortContext, StateContext } from '../context/daemon-context.ts';
import type { PromptContext } from './about-purpose.ts';
import { collectPurposeContext } from './about-purpose.ts';
import type { ContextBlock } from './quote-untrusted.ts';
import { isFromOperator, listQueuedMessages } from './worker-messages.ts';

type SpawnCommand = Extract<Command, { kind: 'spawn' }>;

export async function collectPromptContext(
  context: StateContext & PortContext,
  spawn: SpawnCommand,
  signal: AbortSignal,
): Promise<PromptContext> {
  const { state } = context.ledger;
  const record = state.issues.get(spawn.issue);
  const about = await collectPurposeContext(context, spawn, record, signal);
  const bodies = listQueuedMessages(state, spawn).map(([, { body }]) => body);
  return {
    ...about,
    operator: bodies.filter(isFromOperator),
    contextBlocks: {
      ...about.contextBlocks,
      answers: await readAnswerBlocks(context, spawn, record, signal),
      refusal: buildRefusalBlocks(state, spawn),
      checkpoint: buildCheckpointBlocks(state, spawn),
      handoffs: buildHandoffBlocks(record),
      messages: bodies
        .filter((body) => !isFromOperator(body))
        .map((text) => ({ kind: 'untrusted', what: 'Message from another worker', text })),
    },
  };
}

/**
 * Returns the latest answers to this worker's questions. They are included whatever the purpose of
 * the attempt, because the attempt that first received them may have failed. A person may also have
 * answered with a comment on the board after the question.
 */
async function readAnswerBlocks(
  { tracker }: PortContext,
  { issue, mode }: SpawnCommand,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<readonly ContextBlock[]> {
  const asked = Object.values(record?.questions ?? {}).filter((question) => question.mode === mode);
  const answered = asked
    .slice(-3)
    .flatMap(({ text, answer }) => (answer ? [toAnswerBlock(text, answer)] : []));
  const last = asked.at(-1);
  if (last === undefined || last.answer !== undefined) return answered;
  const comments = await tracker.commentsSince(issue, last.askedAt, signal);
  const people = comments.filter(({ by }) => by === 'writer').slice(-5);
  return [...answered, ...people.map(({ author: by, text }) => toAnswerBlock(last.text, { by, text }))];
}

/**
 * Maximum length in characters: enough to recognise the question without crowding out the answer.
 */
const MAX_QUESTION_CHARS = 2_000;

function toAnswerBlock(
  question: string,
  { by, text }: { readonly by: string; readonly text: string },
): ContextBlock {
  const asked = question.length > MAX_QUESTION_CHARS ? `${question.slice(0, MAX_QUESTION_CHARS)}…` : question;
  return {
    kind: 'decision',
    what: 'Your question and the answer',
    text: `You asked: ${asked}\n\n${by}: ${text}`,
  };
}

function buildRefusalBlocks(state: LegionState, { issue, mode }: SpawnCommand): readonly ContextBlock[] {
  const missing = state.workers.get(toWorkerId(issue, mode))?.refusal;
  return missing === undefined
    ? []
    : [{ kind: 'order', what: 'Why your last report was not accepted', text: missing }];
}

function buildCheckpointBlocks(state: LegionState, { issue, mode }: SpawnCommand): readonly ContextBlock[] {
  const saved = state.workers.get(toWorkerId(issue, mode))?.checkpoint;
  if (saved === undefined) return [];
  const text = [
    `Stage: ${saved.stage}`,
    `Completed: ${saved.completed.join('; ') || 'nothing'}`,
    `Remaining: ${saved.remaining.join('; ') || 'nothing'}`,
    `Last action: ${saved.lastAction}`,
  ].join('\n');
  return [{ kind: 'untrusted', what: 'Last checkpoint', text }];
}

/**
 * Handoffs that say what to build: the specification and the plan. The other handoffs only report
 * what was done.
 */
const TO_FOLLOW: readonly string[] = ['architect', 'plan'];

function buildHandoffBlocks(record: IssueRecord | undefined): readonly ContextBlock[] {
  return Object.entries(record?.handoffs ?? {}).map(([phase, content]) => ({
    kind: TO_FOLLOW.includes(phase) ? 'order' : 'untrusted',
    what: `Handoff of the ${phase} phase`,
    text: JSON.stringify(content, undefined, 2),
  }));
}
