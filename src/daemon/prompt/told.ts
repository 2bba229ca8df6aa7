/** What a worker has to be told beside the issue: the failing check, the objections, the answer, what was done before. */
import type { Command } from '../../domain/command.ts';
import { workerId } from '../../domain/ids.ts';
import type { IssueRecord, Swarm } from '../../swarm/state.ts';
import type { World } from '../world.ts';

type Spawn = Extract<Command, { kind: 'spawn' }>;

export interface Told {
  readonly what: string;
  readonly text: string;
}

export async function toldFor(world: World, spawn: Spawn, signal: AbortSignal): Promise<readonly Told[]> {
  const { swarm } = world.ledger;
  const record = swarm.issues.get(spawn.issue);
  return [
    ...(await aboutPurpose(world, spawn, record, signal)),
    ...(await answers(world, spawn, record, signal)),
    ...refusal(swarm, spawn),
    ...checkpoint(swarm, spawn),
    ...handoffs(record),
    ...messagesFor(swarm, spawn).map(([, { body }]) => ({ what: 'A message to you', text: body })),
  ];
}

/** Queued for this worker and not yet delivered; delivered with the turn that begins with them. */
export function messagesFor(swarm: Swarm, { issue, mode }: Pick<Spawn, 'issue' | 'mode'>) {
  const worker = workerId(issue, mode);
  return [...swarm.messages].filter(([, { to, setAside }]) => to === worker && setAside === undefined);
}

async function aboutPurpose(
  world: World,
  { issue, purpose }: Spawn,
  record: IssueRecord | undefined,
  signal: AbortSignal,
): Promise<readonly Told[]> {
  switch (purpose) {
    case 'ci_failure':
      return failingCheck(world, issue, signal);
    case 'test_failure':
      return detailOf(record?.evidence.test?.detail, 'What the tester found');
    case 'quality_gate':
      return detailOf(record?.evidence.quality_gate?.detail, 'The end of the quality gate’s output');
    case 'review_changes':
    case 'missing_review':
      return remarks(world, issue, signal);
    case 'plan_changes':
      return comments(world, issue, signal);
    default:
      return [];
  }
}

async function failingCheck(world: World, issue: string, signal: AbortSignal): Promise<readonly Told[]> {
  const { forge } = world.repository;
  const pullRequest = (await forge.pullRequests([issue], signal)).get(issue);
  if (typeof pullRequest !== 'object') return [];
  const check = await forge.failingCheck(pullRequest.headSha, signal);
  return check === undefined ? [] : [{ what: `The failing check, ${check.name}`, text: check.logTail }];
}

async function remarks(world: World, issue: string, signal: AbortSignal): Promise<readonly Told[]> {
  const { forge } = world.repository;
  const pullRequest = (await forge.pullRequests([issue], signal)).get(issue);
  if (typeof pullRequest !== 'object') return [];
  const all = await forge.remarks(pullRequest.number, signal);
  return all
    .filter(({ kind }) => kind === 'changes_requested')
    .slice(-3)
    .map(({ by, text }) => ({ what: `Changes requested by ${by}`, text }));
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

function reply(question: string, { by, text }: { readonly by: string; readonly text: string }): Told {
  return { what: `You asked: ${question.slice(0, 200)}`, text: `${by}: ${text}` };
}

async function comments(world: World, issue: string, signal: AbortSignal): Promise<readonly Told[]> {
  const all = await world.tracker.commentsSince(issue, 0, signal);
  return all
    .filter(({ by }) => by !== 'outsider')
    .slice(-5)
    .map(({ author, text }) => ({ what: `Comment by ${author}`, text }));
}

function detailOf(detail: string | undefined, what: string): readonly Told[] {
  return detail === undefined ? [] : [{ what, text: detail }];
}

function refusal(swarm: Swarm, { issue, mode }: Spawn): readonly Told[] {
  const missing = swarm.workers.get(workerId(issue, mode))?.refusal;
  return missing === undefined ? [] : [{ what: 'Why the last report was not accepted', text: missing }];
}

function checkpoint(swarm: Swarm, { issue, mode }: Spawn): readonly Told[] {
  const saved = swarm.workers.get(workerId(issue, mode))?.checkpoint;
  if (saved === undefined) return [];
  const text = [
    `Stage: ${saved.stage}`,
    `Do not redo: ${saved.completed.join('; ') || 'nothing'}`,
    `Remaining: ${saved.remaining.join('; ') || 'nothing'}`,
    `Last action: ${saved.lastAction}`,
  ].join('\n');
  return [{ what: 'Your last checkpoint', text }];
}

function handoffs(record: IssueRecord | undefined): readonly Told[] {
  return Object.entries(record?.handoffs ?? {}).map(([phase, content]) => ({
    what: `Handoff of the ${phase} phase`,
    text: JSON.stringify(content, undefined, 2),
  }));
}
