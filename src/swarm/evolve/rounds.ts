/** How often an issue has gone round, for which reason, and a person's word to begin counting anew. */
import type { EventOf } from '../../core/model/event.ts';
import { type IssueRecord, newIssueRecord, type Swarm } from '../../core/state/state.ts';

type RoundEvent = EventOf<'round.counted' | 'rounds.reset'>;

export function evolveRounds(swarm: Swarm, event: RoundEvent): boolean {
  const record = swarm.issues.get(event.issue) ?? newIssueRecord(event.issue);
  const next = event.type === 'round.counted' ? counted(record, event) : reset(record, event);
  if (next === undefined) return false;
  swarm.issues.set(event.issue, next);
  return true;
}

/** The generation tells a count from before a reset apart from one after it. */
function counted(record: IssueRecord, event: EventOf<'round.counted'>): IssueRecord | undefined {
  const made = record.rounds[event.reason] ?? 0;
  if (event.generation !== record.generation || event.count !== made + 1) return undefined;
  return { ...record, rounds: { ...record.rounds, [event.reason]: event.count } };
}

/** A person said "go on": what could not be run is tried again, too. */
function reset(record: IssueRecord, event: EventOf<'rounds.reset'>): IssueRecord | undefined {
  if (event.generation !== record.generation + 1) return undefined;
  const tried = Object.entries(record.evidence).filter(([, { verdict }]) => verdict !== 'could_not_run');
  return { ...record, evidence: Object.fromEntries(tried), rounds: {}, generation: event.generation };
}
