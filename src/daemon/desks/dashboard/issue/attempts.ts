/** Each life of each worker of an issue, folded from the issue's own events. */
import type { Event } from '../../../../core/model/event.ts';
import { type IssueId, workerId } from '../../../../core/model/ids.ts';
import { evolve } from '../../../../core/state/evolve.ts';
import { emptySwarm, type WorkerRecord } from '../../../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../../../domain/lifecycle.ts';
import type { Attempt } from '../../../../protocol/dashboard.ts';
import { eventInWords } from '../../../present/event.ts';
import type { World } from '../../../world.ts';
import type { Chronicle } from '../past/chronicle.ts';
import { eventsOf } from './events-of.ts';
import { evidenceIn } from './evidence-in.ts';
import { knownIssue } from './known-issue.ts';

/** The newest of an issue's events that are read for it: some hundred lives, a fifth of a second. */
const EVENTS_MOST = 20_000;

/** As long as a life's record lasts, and what is not in it. */
interface Life {
  record: WorkerRecord;
  ended?: Event;
  verdicts: Event[];
}

export async function attempts(world: World, chronicle: Chronicle, given: IssueId): Promise<Attempt[]> {
  const issue = await knownIssue(world, given);
  await chronicle.caughtUp();
  const events = await eventsOf(world.ledger, chronicle.index.of(issue).slice(-EVENTS_MOST));
  const lives = livesIn(events);
  return [...lives.values()].map((life) => viewOf(life, lives));
}

/** By the same fold as everything else: what does not move a worker moves it here neither. */
function livesIn(events: readonly Event[]): ReadonlyMap<string, Life> {
  const swarm = emptySwarm();
  const lives = new Map<string, Life>();
  for (const event of events) {
    evolve(swarm, event);
    if (!('mode' in event) || event.type === 'decision.made') continue;
    const record = swarm.workers.get(workerId(event.issue, event.mode));
    if (record === undefined) continue;
    const life = lives.get(keyOf(record)) ?? { record, verdicts: [] };
    life.record = record;
    if (life.ended === undefined && hasEnded(lifecycleOf(record.facts))) life.ended = event;
    lives.set(keyOf(record), life);
    // A kill is judged when the next life may have begun.
    const about = 'attempt' in event ? lives.get(keyOf(event)) : undefined;
    if (VERDICTS.has(event.type)) about?.verdicts.push(event);
  }
  return lives;
}

const VERDICTS: ReadonlySet<Event['type']> = new Set([
  'attempt.warned',
  'attempt.asked_to_stop',
  'attempt.crashed',
  'attempt.paused',
  'attempt.zombie',
  'kill.performed',
  'kill.judged',
]);

function viewOf({ record, ended, verdicts }: Life, lives: ReadonlyMap<string, Life>): Attempt {
  const { mode, attempt, agent, model, facts, report, spent } = record;
  const { turns, tokens, usd } = spent.now;
  const next = lives.get(keyOf({ mode, attempt: attempt + 1 }));
  return {
    ...{ mode, attempt, state: lifecycleOf(facts), dispatchedAt: facts.dispatchedAt },
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...endOf(ended, next),
    report: report === undefined ? null : { ...report },
    spent: { turns, tokens, usd },
    verdicts: verdicts.map((event) => ({
      at: event.at,
      says: eventInWords(event),
      evidence: [...evidenceIn(event)],
    })),
  };
}

/** Who waits has not ended, but whoever is sent next takes the place. */
function endOf(ended: Event | undefined, next: Life | undefined): Pick<Attempt, 'endedAt' | 'ending'> {
  if (ended !== undefined) return { endedAt: ended.at, ending: eventInWords(ended) };
  if (next === undefined) return { endedAt: null, ending: null };
  const { attempt, facts } = next.record;
  return { endedAt: facts.dispatchedAt, ending: `attempt ${attempt} took its place` };
}

function keyOf({ mode, attempt }: Pick<WorkerRecord, 'mode' | 'attempt'>): string {
  return `${mode} ${attempt}`;
}
