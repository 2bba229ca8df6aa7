/** What a worker has to be told beside the issue: what its purpose is about, answers, what was done before, messages. */
import type { Command } from '../../core/model/command.ts';
import { workerId } from '../../core/model/ids.ts';
import type { IssueRecord, Swarm } from '../../core/state/state.ts';
import type { ToldGroup } from '../context/prompt-template.ts';
import { isFromOperator } from '../from-operator.ts';
import { aboutPurpose } from '../prompts/about-purpose.ts';
import type { TextKind } from '../prompts/quote-untrusted.ts';
import type { World } from '../world.ts';

type Spawn = Extract<Command, { kind: 'spawn' }>;

export interface Told {
  /** How the worker treats it. */
  readonly kind: TextKind;
  /** Ours, never theirs: it stands outside the fence. */
  readonly what: string;
  readonly text: string;
  /** What of a long text is worth most. */
  readonly keep?: 'start' | 'end' | undefined;
}

export interface ToldFacts {
  readonly told: Readonly<Partial<Record<ToldGroup, readonly Told[] | undefined>>>;
  /** What operators said and this worker has not heard, oldest first. */
  readonly operator?: readonly string[] | undefined;
  /** Where the purpose is about it. */
  readonly pullRequest?: { readonly number: number; readonly headSha: string } | undefined;
  /** The commit that the tests or the quality gate did not pass at. */
  readonly commit?: string | undefined;
}

/** Said in the place of what a reason announces and nobody knows. */
export const NOTHING_TOLD: Readonly<Record<ToldGroup, string>> = {
  check: 'The failing check could not be read: run `legion worker ci`.',
  report: 'The tester left no details: try the acceptance criteria yourself.',
  earlier: '',
  output: 'Its output is not known: run it yourself.',
  order: 'What is wrong with it is not known any more: try the acceptance criteria yourself.',
  remarks: 'The remarks could not be read: `legion worker issue` may show them.',
  comments: 'No comment of the architect could be read: `legion worker issue` may show it.',
  answers: 'The answer stands among the comments: `legion worker issue` shows them.',
  refusal: '',
  checkpoint: 'It saved no checkpoint: the workspace is all there is to tell how far it came.',
  handoffs: 'No handoff is there: `legion worker issue` shows what is known.',
  messages: '',
};

export async function toldFor(world: World, spawn: Spawn, signal: AbortSignal): Promise<ToldFacts> {
  const { swarm } = world.ledger;
  const record = swarm.issues.get(spawn.issue);
  const about = await aboutPurpose(world, spawn, record, signal);
  const bodies = messagesFor(swarm, spawn).map(([, { body }]) => body);
  return {
    ...about,
    operator: bodies.filter(isFromOperator),
    told: {
      ...about.told,
      answers: await answers(world, spawn, record, signal),
      refusal: refusal(swarm, spawn),
      checkpoint: checkpoint(swarm, spawn),
      handoffs: handoffs(record),
      messages: bodies
        .filter((body) => !isFromOperator(body))
        .map((text) => ({ kind: 'untrusted', what: 'A message from another worker', text })),
    },
  };
}

/** Queued for this worker and not yet delivered; delivered with the turn that begins with them. */
export function messagesFor(swarm: Swarm, { issue, mode }: Pick<Spawn, 'issue' | 'mode'>) {
  const worker = workerId(issue, mode);
  return [...swarm.messages].filter(([, { to, setAside }]) => to === worker && setAside === undefined);
}

/**
 * The latest answers to this worker's questions, whatever it is called for: the life they were first told to may have failed.
 * Who answered on the board has written it there since the question.
 */
async function answers(
  { tracker }: World,
  { issue, mode }: Spawn,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<readonly Told[]> {
  const asked = Object.values(record?.questions ?? {}).filter((question) => question.mode === mode);
  const answered = asked.slice(-3).flatMap(({ text, answer }) => (answer ? [reply(text, answer)] : []));
  const last = asked.at(-1);
  if (last === undefined || last.answer !== undefined) return answered;
  const said = await tracker.commentsSince(issue, last.askedAt, signal);
  const people = said.filter(({ by }) => by === 'writer').slice(-5);
  return [...answered, ...people.map(({ author: by, text }) => reply(last.text, { by, text }))];
}

/** Characters; enough to know it again, and the answer is not pushed out by it. */
const QUESTION_SHOWN = 2_000;

function reply(question: string, { by, text }: { readonly by: string; readonly text: string }): Told {
  const asked = question.length > QUESTION_SHOWN ? `${question.slice(0, QUESTION_SHOWN)}…` : question;
  return {
    kind: 'decision',
    what: 'Your question and the answer',
    text: `You asked: ${asked}\n\n${by}: ${text}`,
  };
}

function refusal(swarm: Swarm, { issue, mode }: Spawn): readonly Told[] {
  const missing = swarm.workers.get(workerId(issue, mode))?.refusal;
  return missing === undefined
    ? []
    : [{ kind: 'order', what: 'Why the last report was not accepted', text: missing }];
}

function checkpoint(swarm: Swarm, { issue, mode }: Spawn): readonly Told[] {
  const saved = swarm.workers.get(workerId(issue, mode))?.checkpoint;
  if (saved === undefined) return [];
  const text = [
    `Stage: ${saved.stage}`,
    `Completed: ${saved.completed.join('; ') || 'nothing'}`,
    `Remaining: ${saved.remaining.join('; ') || 'nothing'}`,
    `Last action: ${saved.lastAction}`,
  ].join('\n');
  return [{ kind: 'untrusted', what: 'The last checkpoint', text }];
}

/** The specification and the plan say what to build; the other handoffs tell what was done. */
const TO_FOLLOW: readonly string[] = ['architect', 'plan'];

function handoffs(record: IssueRecord | undefined): readonly Told[] {
  return Object.entries(record?.handoffs ?? {}).map(([phase, content]) => ({
    kind: TO_FOLLOW.includes(phase) ? 'order' : 'untrusted',
    what: `Handoff of the ${phase} phase`,
    text: JSON.stringify(content, undefined, 2),
  }));
}
