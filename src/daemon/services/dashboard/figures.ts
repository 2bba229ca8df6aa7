/**
 * Computes how the legion performed in a period: throughput, lead times, time in each status,
 * kills, attempts and cost.
 */

import type { Event, EventOf } from '../../../core/model/event.ts';
import { type IssueId, toWorkerId, type WorkerId } from '../../../core/model/ids.ts';
import type { ObservedStatus } from '../../../core/model/status.ts';
import type { BoardRecord } from '../../../core/state/state.ts';
import type { LegionFigures } from '../../../protocol/dashboard.ts';

/** Number of bars in a chart, unless there is one bar per day. */
const PARTS = 24;
const DAY_MS = 24 * 60 * 60_000;
/** Maximum number of points in a chart. If there are more, the newest are shown. */
const MAX_LEAD_TIMES = 500;

export function computeFigures(record: FiguresRecord, now: number, back: number): LegionFigures {
  const from = now - back;
  const filterPeriod = <T extends { readonly at: number }>(all: readonly T[]): T[] =>
    all.filter(({ at }) => at >= from && at <= now);
  const done = filterPeriod(record.done.all);
  // Includes the interval in which the period begins. The error is small, because an interval is
  // shorter than a bar.
  const sums = record.sums.all.filter(({ at }) => at + GRAIN_MS > from && at <= now);
  const kills = filterPeriod(record.kills.all);
  const led = done.flatMap(({ issue, at, ms }) => (ms === undefined ? [] : [{ issue, doneAt: at, ms }]));
  const stays = Map.groupBy(filterPeriod(record.stays.all), ({ status }) => status);
  return {
    from,
    to: now,
    throughput: computeBars(from, now, done, sums),
    leadTime: led.length === 0 ? null : computeSpread(led.map(({ ms }) => ms)),
    leadTimes: led.slice(-MAX_LEAD_TIMES),
    phases: [...stays].map(([status, all]) => ({ status, ...computeSpread(all.map(({ ms }) => ms)) })),
    kills: {
      right: kills.filter(({ right }) => right === true).length,
      wrong: kills.filter(({ right }) => right === false).length,
      unjudged: kills.filter(({ right }) => right === undefined).length,
    },
    attempts: { total: sumField(sums, 'attempts'), crashed: sumField(sums, 'crashed') },
    spent: {
      usd: sumField(sums, 'usd'),
      tokens: sumField(sums, 'tokens'),
      doneUsd: sumField(
        done.map(({ cost }) => cost),
        'usd',
      ),
    },
  };
}

function computeBars(
  from: number,
  to: number,
  done: readonly { readonly at: number }[],
  sums: readonly { readonly at: number; readonly usd: number }[],
): LegionFigures['throughput'] {
  const back = to - from;
  const parts = back > 2 * DAY_MS ? Math.ceil(back / DAY_MS) : PARTS;
  const bars = Array.from({ length: parts }, (_, index) => ({
    from: from + (index * back) / parts,
    done: 0,
    usd: 0,
  }));
  const findBar = (at: number) => {
    const index = Math.floor(((at - from) / back) * parts);
    return bars[Math.min(Math.max(index, 0), parts - 1)];
  };
  for (const { at } of done) {
    const bar = findBar(at);
    if (bar !== undefined) bar.done += 1;
  }
  for (const { at, usd } of sums) {
    const bar = findBar(at);
    if (bar !== undefined) bar.usd += usd;
  }
  return bars;
}

function sumField<K extends string>(all: readonly Readonly<Record<K, number>>[], name: K): number {
  return all.reduce((sum, each) => sum + each[name], 0);
}

interface DurationSpread {
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

/** Uses the nearest rank, so that every value shown was actually measured. */
function computeSpread(times: readonly number[]): DurationSpread {
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, medianMs: rank(0.5), p90Ms: rank(0.9) };
}

/**
 * Maximum number of entries of each kind. The oldest are dropped first. All entries together take a
 * few megabytes and cover months of a busy legion.
 */
const MAX_KEPT_ITEMS = 20_000;
/**
 * Length of the intervals for which sums are kept. The list is long enough for all such intervals
 * in a year of work.
 */
const GRAIN_MS = 60_000;

interface FinishedIssue {
  readonly issue: IssueId;
  readonly at: number;
  /**
   * Time from the start of work on the issue until it was finished. Undefined if Legion never
   * worked on it.
   */
  readonly ms: number | undefined;
  readonly cost: IssueCost;
}

/** Cost of all work on an issue. May still grow after Done while its last worker is finishing. */
interface IssueCost {
  usd: number;
}

interface StatusStay {
  readonly status: ObservedStatus;
  readonly at: number;
  readonly ms: number;
}

interface RecordedKill {
  readonly kill: number;
  readonly at: number;
  right: boolean | undefined;
}

/** Sums for one interval that starts at `at`. */
interface MinuteSums {
  readonly at: number;
  usd: number;
  tokens: number;
  attempts: number;
  crashed: number;
}

/**
 * Keeps the data for figures as the journal is read: finished work with its time, and spending per
 * minute.
 */
export class FiguresRecord {
  readonly done = new BoundedList<FinishedIssue>();
  readonly stays = new BoundedList<StatusStay>();
  readonly kills = new BoundedList<RecordedKill>();
  readonly sums = new BoundedList<MinuteSums>();
  readonly #begun = new Map<IssueId, number>();
  readonly #costs = new Map<IssueId, IssueCost>();
  /**
   * Issues that have been merged, or that Legion decided to move to Done, since they were last in
   * another status.
   */
  readonly #finished = new Set<IssueId>();
  /**
   * Issues that a person seems to have moved to Done, because so far no merge or decision explains
   * the move.
   */
  readonly #movedByHand = new Map<IssueId, FinishedIssue>();
  readonly #spent = new Map<WorkerId, { attempt: number; usd: number; tokens: number }>();

  /**
   * Call it only with events that changed the state. `before` is the board's record of the issue
   * before the event.
   */
  record(event: Event, before: BoardRecord | undefined): void {
    switch (event.type) {
      case 'issue.sighted':
        this.#moved(event, before);
        break;
      case 'issue.left':
        this.#stayed(before, event.at);
        break;
      case 'decision.made':
        if (event.action === 'transition_to_done') this.#finish(event.issue);
        break;
      case 'merge.landed':
        this.#finish(event.issue);
        break;
      case 'attempt.dispatched':
        this.#began(event);
        this.#sumsAt(event.at).attempts += 1;
        break;
      case 'attempt.crashed':
        this.#sumsAt(event.at).crashed += 1;
        break;
      case 'attempt.spent':
        this.#used(event);
        break;
      case 'kill.performed':
        this.kills.add({ kill: event.kill, at: event.at, right: undefined });
        break;
      case 'kill.judged':
        this.#judged(event);
        break;
      case 'issue.pruned':
        this.#begun.delete(event.issue);
        this.#costs.delete(event.issue);
        this.#finished.delete(event.issue);
        this.#movedByHand.delete(event.issue);
        break;
    }
  }

  #began({ issue, at }: EventOf<'attempt.dispatched'>): void {
    if (this.#begun.has(issue)) return;
    this.#begun.set(issue, at);
    this.#costs.set(issue, { usd: 0 });
  }

  #moved({ issue, status, at }: EventOf<'issue.sighted'>, before: BoardRecord | undefined): void {
    // An issue that was seen for the first time, or that came back, has no previous status.
    if (before === undefined || before.left === true || before.status === status) return;
    this.#stayed(before, at);
    if (status !== 'Done') {
      if (before.status === 'Done') this.#reopen(issue);
      return;
    }
    const begun = this.#begun.get(issue);
    const ms = begun === undefined ? undefined : Math.max(0, at - begun);
    const done = { issue, at, ms, cost: this.#costs.get(issue) ?? { usd: 0 } };
    if (this.#finished.has(issue)) this.done.add(done);
    else this.#movedByHand.set(issue, done);
    // The next work on a reopened issue starts a new lead time.
    this.#begun.delete(issue);
  }

  /**
   * Records the issue as finished. A merge on the forge's website may be noticed only after the
   * board has shown the issue in Done.
   */
  #finish(issue: IssueId): void {
    this.#finished.add(issue);
    const done = this.#movedByHand.get(issue);
    if (done !== undefined) this.done.add(done);
    this.#movedByHand.delete(issue);
  }

  #reopen(issue: IssueId): void {
    this.#finished.delete(issue);
    this.#movedByHand.delete(issue);
  }

  #stayed(before: BoardRecord | undefined, at: number): void {
    if (before === undefined || before.left === true) return;
    this.stays.add({ status: before.status, at, ms: Math.max(0, at - before.since) });
  }

  /**
   * Records spending. Events contain totals of the whole attempt, which never decrease, so only the
   * difference is added.
   */
  #used({ issue, mode, attempt, usd, tokens, at }: EventOf<'attempt.spent'>): void {
    const worker = toWorkerId(issue, mode);
    const known = this.#spent.get(worker);
    const before = known?.attempt === attempt ? known : { usd: 0, tokens: 0 };
    const now = { attempt, usd: Math.max(usd, before.usd), tokens: Math.max(tokens, before.tokens) };
    const sums = this.#sumsAt(at);
    sums.usd += now.usd - before.usd;
    const cost = this.#costs.get(issue);
    if (cost !== undefined) cost.usd += now.usd - before.usd;
    sums.tokens += now.tokens - before.tokens;
    this.#spent.set(worker, now);
  }

  #judged({ kill, right }: EventOf<'kill.judged'>): void {
    const found = this.kills.all.findLast((each) => each.kill === kill);
    if (found !== undefined) found.right = right;
  }

  #sumsAt(time: number): MinuteSums {
    const at = Math.floor(time / GRAIN_MS) * GRAIN_MS;
    const last = this.sums.all.at(-1);
    // If the clock was set back, the amount is added to the current interval.
    if (last !== undefined && last.at >= at) return last;
    const sums = { at, usd: 0, tokens: 0, attempts: 0, crashed: 0 };
    this.sums.add(sums);
    return sums;
  }
}

/** Keeps the newest entries. */
class BoundedList<T> {
  #all: T[] = [];

  get all(): readonly T[] {
    return this.#all;
  }

  add(item: T): void {
    this.#all.push(item);
    // Drops a quarter of the entries at once, so that dropping is rare.
    if (this.#all.length > MAX_KEPT_ITEMS) this.#all = this.#all.slice(MAX_KEPT_ITEMS / 4);
  }
}
