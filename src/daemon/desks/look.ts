/** One look at issues for people: the signals, and what is due by them; nothing is written and no place is taken. */
import type { Decision } from '../../domain/decision.ts';
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';
import type { Issue } from '../../domain/issue.ts';
import type { Mode } from '../../domain/mode.ts';
import type { Signals } from '../../domain/signals.ts';
import { decide } from '../../pipeline/decide.ts';
import { iceboxTurns } from '../../pipeline/order.ts';
import type { Policy } from '../../pipeline/policy.ts';
import { verdict } from '../../pipeline/verdict.ts';
import { chainOf } from '../../swarm/chain.ts';
import { iceboxIssues, type SeenIssue, signalsOf } from '../../swarm/observation.ts';
import { Starts } from '../../swarm/starts.ts';
import type { PostedIssue, Tracker } from '../../trackers/tracker.ts';
import { type Outside, observe, observeIssue } from '../observe.ts';
import { startContext } from '../start-context.ts';
import type { World } from '../world.ts';
import { reading } from './read-outside.ts';
import { seenAsPosted } from './seen-as-posted.ts';

export interface Look {
  readonly seen: SeenIssue;
  readonly signals: Signals;
  readonly policy: Policy;
  /** What is due, or why a worker that is due may not start now. */
  readonly decision: Decision;
}

export async function lookAtBoard(world: World): Promise<readonly Look[]> {
  const board = await reading((signal) => observe(outsideOf(world), world.ledger.swarm, signal));
  return board.map(looking(world, board));
}

/** As it was seen last, by the loop. */
export function lookAtLastSeen(world: World): readonly Look[] {
  return world.view.all.map(looking(world, world.view.all));
}

/** As somebody has posted them, in place of what was seen last; nothing is read. */
export function lookAtPosted(world: World, posted: readonly PostedIssue[]): readonly Look[] {
  const { tracker, view } = world;
  const seen = posted.map((issue) => seenAsPosted(world, issue));
  const ids = new Set(seen.map(({ issue }) => issue.id));
  const whole = [...view.all.filter(({ issue }) => !ids.has(issue.id)), ...seen];
  // Who wrote an issue that nobody has seen is not known, and not posted either; the loop asks before it starts anybody.
  const trusted = (issue: Issue) =>
    issue.writtenBy === undefined ? { allowed: true, why: '' } : tracker.mayDispatch(issue);
  return seen.map(looking(world, whole, trusted));
}

/** Rejects with `tracker.issue_unknown`. While the board cannot be read, what was seen last is explained, and said to be that. */
export async function lookAtIssue(world: World, issue: IssueId): Promise<Look> {
  const { view, ledger } = world;
  const others = view.all.filter((other) => other.issue.id !== issue);
  try {
    const seen = await reading((signal) => observeIssue(outsideOf(world), ledger.swarm, issue, signal));
    if (seen === undefined) throw new LegionError('tracker.issue_unknown', `${issue} is not on the board`);
    return looking(world, [...others, seen])(seen);
  } catch (error) {
    const last = view.of(issue);
    if (last === undefined || !(error instanceof LegionError) || !error.retryable) throw error;
    const look = looking(world, view.all)(last);
    const evidence = [...look.decision.evidence, `read=as last seen, now ${error.code}: ${error.message}`];
    return { ...look, decision: { ...look.decision, evidence } };
  }
}

function outsideOf({ tracker, repositories, settings }: World): Outside {
  return { tracker, forgeOf: (issue) => repositories.find(issue)?.forge, columns: settings().columns };
}

function looking(
  world: World,
  whole: readonly SeenIssue[],
  trusted: Tracker['mayDispatch'] = (issue) => world.tracker.mayDispatch(issue),
): (seen: SeenIssue) => Look {
  const { swarm } = world.ledger;
  const { checkWaitMs } = world.settings();
  const context = startContext(world);
  const statuses = new Map(whole.map(({ issue, status }) => [issue.id, status]));
  const statusOf = (issue: string) => statuses.get(issue);
  const turns = iceboxTurns(iceboxIssues(swarm, whole), new Starts(swarm, context).hasFreePlace);
  return (seen) => {
    const { id } = seen.issue;
    const policy = world.policyOf(id);
    const icebox = turns.get(id) ?? 'unclarified';
    const signals = signalsOf(swarm, seen, policy, { icebox, statusOf, now: context.now, checkWaitMs });
    // Each issue is asked about alone: whether it could start, not whether its turn would come in one pass.
    const mayStart = (mode: Mode) => new Starts(swarm, context).mayStart(id, mode);
    const [first] = chainOf(signals, policy, mayStart).links;
    const decision = first?.decision ?? decide(signals, policy);
    return { seen, signals, policy, decision: heldBack(world, trusted(seen.issue), signals, decision) };
  };
}

/** What the loop does not carry out by itself, and why. */
function heldBack(
  { settings, ledger }: World,
  { allowed, why }: ReturnType<Tracker['mayDispatch']>,
  signals: Signals,
  due: Decision,
): Decision {
  const hold = ledger.swarm.breaker.open;
  if (hold !== undefined && due.reason === 'breaker_open')
    return { ...due, evidence: [...due.evidence, `starts=${hold.why}`] };
  if (hold !== undefined && (due.reason === 'halted' || due.reason === 'legion_paused'))
    return { ...due, evidence: [...due.evidence, `since=${new Date(hold.since).toISOString()}`] };
  if (due.action === 'skip') return due;
  if (!allowed) return verdict(signals, 'skip', 'not_trusted', `would=${due.action}`, why);
  return settings().autoAdvance
    ? due
    : { ...due, evidence: [...due.evidence, 'auto_advance=off'], until: TO_BE_ADVANCED };
}

const TO_BE_ADVANCED = {
  by: 'person',
  what: 'someone advances it (`legion advance`, or on its page): auto_advance is off',
} as const;
