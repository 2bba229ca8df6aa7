/** A worker as a card shows it: its state, since when, and the last thing it did. */
import { type WorkerId, workerId } from '../../../../core/model/ids.ts';
import type { Swarm, WorkerRecord, WorkerReport } from '../../../../core/state/state.ts';
import { lifecycleOf } from '../../../../domain/lifecycle.ts';
import type { HealthLimits } from '../../../../health/limits.ts';
import type { Card } from '../../../../protocol/dashboard.ts';
import { stoppingOf } from '../../../../swarm/stopping.ts';
import { hasExited } from '../../../../swarm/workers.ts';
import { stateSince } from '../../../present/state-since.ts';

type OnCard = NonNullable<Card['worker']>;
type Last = NonNullable<OnCard['last']>;

type Doings = ReadonlyMap<WorkerId, Last>;

export interface CardSources {
  /** What agents have told and the journal has not; none for the past. */
  readonly doings?: Doings | undefined;
  readonly limits: Partial<HealthLimits>;
}

/** Characters that fit on a card; the whole is on the issue's page. */
const WORDS_MOST = 140;

export function workerOnCard(swarm: Swarm, worker: WorkerRecord, { doings, limits }: CardSources): OnCard {
  const { issue, mode, attempt, agent, facts } = worker;
  const id = workerId(issue, mode);
  const state = lifecycleOf(facts);
  return {
    id,
    mode,
    state,
    stopping: stoppingOf(swarm, worker, limits),
    ...(hasExited(worker) ? { hasExited: true } : {}),
    attempt,
    ...(agent === undefined ? {} : { agent }),
    since: stateSince(worker),
    last: lastOf(swarm, worker, doings?.get(id)),
  };
}

function reportInWords({ outcome, summary, sentBack }: WorkerReport): string {
  return sentBack === undefined ? `reported ${outcome}: ${summary}` : `sent the work back: ${sentBack}`;
}

/** The newest of what it said to the journal and what its agent was seen to do; what was done to it is its state. */
function lastOf(swarm: Swarm, worker: WorkerRecord, doing: Last | undefined): Last | null {
  const { facts, checkpoint, report, lastCheckpoint } = worker;
  const did: Last[] = [];
  if (facts.firstEventAt !== undefined) did.push({ what: 'began to work', at: facts.firstEventAt });
  if (doing !== undefined) did.push(doing);
  const asked = askedLast(swarm, worker);
  if (asked !== undefined) did.push(asked);
  // An earlier life's is carried on, for whoever continues; it is nothing this one did.
  if (checkpoint !== undefined && lastCheckpoint > 0)
    did.push({ what: checkpoint.lastAction, at: checkpoint.at });
  if (report !== undefined && facts.reportedAt !== undefined)
    did.push({ what: reportInWords(report), at: facts.reportedAt });
  // Of two at the same time the later in this list says more.
  const last = did.reduce<Last | undefined>(
    (best, each) => (best === undefined || each.at >= best.at ? each : best),
    undefined,
  );
  return last === undefined ? null : { what: short(last.what), at: last.at };
}

function askedLast({ issues }: Swarm, { issue, mode, attempt }: WorkerRecord): Last | undefined {
  const record = issues.get(issue);
  const question = record?.questions[record.lastQuestion];
  if (question === undefined || question.mode !== mode || question.attempt !== attempt) return undefined;
  return { what: `asked: ${question.text}`, at: question.askedAt };
}

function short(text: string): string {
  const line = text
    .slice(0, 4 * WORDS_MOST)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > WORDS_MOST ? `${line.slice(0, WORDS_MOST)}…` : line;
}
