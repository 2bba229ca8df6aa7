/**
 * Reads the journal for queries about the past: from its beginning on the first query, and
 * afterwards only new events.
 */
import type { Event } from '../../../core/model/event.ts';
import { type IssueId, readWorkerId } from '../../../core/model/ids.ts';
import { evolve } from '../../../core/state/evolve.ts';
import { createLegionState, type LegionState } from '../../../core/state/state.ts';
import type { JournalSpan } from '../../../protocol/dashboard.ts';
import type { Ledger } from '../../context/ledger.ts';
import { FiguresRecord } from './figures.ts';

/**
 * Reads new events on each query instead of on each append, so that an append never waits for a
 * viewer and a closed dashboard costs nothing. Each part has a bounded size and stays empty until
 * the first query.
 */
export class JournalHistory {
  readonly index = new IssueIndex();
  readonly span = new SpanRecord();
  readonly figures = new FiguresRecord();
  readonly keyframes = new KeyframeStore();
  readonly #ledger: Ledger;
  readonly #state: LegionState = createLegionState();
  #reading: Promise<void> | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * Resolves when all events written so far have been read. Rejects if a journal row cannot be
   * read; the next call then tries that row again.
   */
  async catchUp(): Promise<void> {
    const wanted = this.#ledger.version;
    while (this.#state.version < wanted) {
      // All callers share one read, because two concurrent reads would process the same events
      // twice.
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #read(): Promise<void> {
    for await (const batch of this.#ledger.read(this.#state.version)) {
      for (const event of batch) this.#take(event);
    }
  }

  #take(event: Event): void {
    const state = this.#state;
    // Runs before the fold, which removes intents and messages that have ended.
    const issue = findEventIssue(state, event);
    const before = issue === undefined ? undefined : state.board.get(issue);
    const { ignored } = state;
    evolve(state, event);
    this.span.record(event);
    if (issue !== undefined) this.index.add(issue, event.seq);
    // Figures do not include events that the fold ignores, such as duplicate or late ones.
    if (state.ignored === ignored) this.figures.record(event, before);
    this.keyframes.record(state, event.at);
  }
}

/**
 * Maximum number of intervals shown, because a slider is only a few hundred pixels wide. If there
 * are more, neighbouring intervals are merged in pairs.
 */
const MAX_PARTS = 120;
/**
 * Initial length of an interval. The length doubles as the journal grows: a journal of one day has
 * 82 intervals of 17.5 min.
 */
const PART_MS = 1_000;

/** Keeps the time span of the journal and a histogram of its events. Both have a bounded size. */
class SpanRecord {
  #first: JournalSpan['first'] | undefined;
  #last: JournalSpan['last'] | undefined;
  #counts: number[] = [];
  #partMs = PART_MS;

  record({ seq: version, at }: Event): void {
    this.#first ??= { version, at };
    this.#last = { version, at };
    const from = this.#first.at;
    // If the clock was set back to before the first event, the event is counted in the first
    // interval.
    const passed = Math.max(0, at - from);
    while (passed >= this.#partMs * MAX_PARTS) this.#double();
    const part = Math.floor(passed / this.#partMs);
    while (this.#counts.length <= part) this.#counts.push(0);
    this.#counts[part] = (this.#counts[part] ?? 0) + 1;
  }

  /** Undefined before the first event. */
  get span(): JournalSpan | undefined {
    const [first, last] = [this.#first, this.#last];
    if (first === undefined || last === undefined) return undefined;
    const parts = this.#counts.map((count, index) => ({ from: first.at + index * this.#partMs, count }));
    return { first, last, parts };
  }

  #double(): void {
    const half = Math.ceil(this.#counts.length / 2);
    this.#counts = Array.from(
      { length: half },
      (_, index) => (this.#counts[2 * index] ?? 0) + (this.#counts[2 * index + 1] ?? 0),
    );
    this.#partMs *= 2;
  }
}

/**
 * Maximum number of versions indexed for all issues together: about 8 MB. `legion replay` finds
 * older events.
 */
const MAX_INDEXED_VERSIONS = 1_000_000;

/** Indexes event versions by issue. */
class IssueIndex {
  readonly #versions = new Map<IssueId, number[]>();
  #count = 0;

  add(issue: IssueId, version: number): void {
    const known = this.#versions.get(issue);
    if (known === undefined) this.#versions.set(issue, [version]);
    else known.push(version);
    this.#count += 1;
    // Drops half at once, so that dropping is rare.
    if (this.#count > MAX_INDEXED_VERSIONS) this.#forgetBefore(version - MAX_INDEXED_VERSIONS / 2);
  }

  /** Returns the versions of the issue's events in ascending order. */
  find(issue: IssueId): readonly number[] {
    return this.#versions.get(issue) ?? [];
  }

  #forgetBefore(version: number): void {
    this.#count = 0;
    for (const [issue, versions] of this.#versions) {
      const kept = versions.filter((each) => each >= version);
      if (kept.length === 0) this.#versions.delete(issue);
      else this.#versions.set(issue, kept);
      this.#count += kept.length;
    }
  }
}

/**
 * Finds the issue of an event from the state before the event, because an outcome refers to its
 * intent, and a delivery to its message, only by number.
 */
function findEventIssue(state: LegionState, event: Event): IssueId | undefined {
  switch (event.type) {
    case 'intent.opened':
      return event.command.issue;
    case 'intent.settled':
      return state.intents.get(event.intent)?.command.issue;
    case 'message.queued':
      return findWorkerIssue(state, event.to);
    case 'message.delivered':
    case 'message.set_aside':
      return findWorkerIssue(state, state.messages.get(event.message)?.to);
    default:
      return 'issue' in event ? event.issue : undefined;
  }
}

/**
 * Uses the spelling of the issue id in the worker's record, because worker ids are in lower case.
 * Without a record, as for a message before the first dispatch, parses the worker id.
 */
function findWorkerIssue(state: LegionState, to: string | undefined): IssueId | undefined {
  if (to === undefined) return undefined;
  const worker = state.workers.get(to);
  if (worker !== undefined) return worker.issue;
  const id = readWorkerId(to);
  return id.ok ? id.value.issue : undefined;
}

/** Initial number of events between two keyframes. Folding that many events takes about 20 ms. */
const SPACING_EVENTS = 2_000;
/**
 * Maximum number of keyframes. If there are more, every second one is dropped and the distance
 * doubles: 64 keyframes cover 128,000 events at a distance of 2,000, and a million at 16,000.
 */
const MAX_KEYFRAMES = 64;

/** A copy of the state that no later event changes, with the times of its events. */
export interface Keyframe {
  readonly state: LegionState;
  /** Time of the last event. */
  readonly at: number;
  /** Latest time of any event so far. Differs from `at` if the clock was set back. */
  readonly latestAt: number;
}

/** Keeps past states at even intervals, so that any past moment can be restored with a short fold. */
class KeyframeStore {
  #frames: Keyframe[] = [];
  #spacing = SPACING_EVENTS;
  #latestAt = Number.NEGATIVE_INFINITY;

  record(state: LegionState, at: number): void {
    this.#latestAt = Math.max(this.#latestAt, at);
    if (state.version % this.#spacing !== 0) return;
    this.#frames.push({ state: copyState(state), at, latestAt: this.#latestAt });
    if (this.#frames.length <= MAX_KEYFRAMES) return;
    this.#spacing *= 2;
    this.#frames = this.#frames.filter(({ state: { version } }) => version % this.#spacing === 0);
  }

  get all(): readonly Keyframe[] {
    return this.#frames;
  }
}

/** Copies the maps, which the fold changes. Their records never change and are shared. */
export function copyState(state: LegionState): LegionState {
  const { issues, workers, workersByIssue, present, failing, intents, messages, quotas, spending, board } =
    state;
  return {
    ...state,
    issues: new Map(issues),
    workers: new Map(workers),
    workersByIssue: new Map(workersByIssue),
    present: new Set(present),
    failing: new Set(failing),
    intents: new Map(intents),
    messages: new Map(messages),
    quotas: new Map(quotas),
    spending: new Map(spending),
    board: new Map(board),
  };
}

/**
 * Maximum gap between two versions in one read. Reading this many unneeded events costs as much as
 * starting another read.
 */
const MAX_GAP = 50;

/**
 * Reads events by version, with one read for neighbouring versions. `versions` are ascending, and
 * so is the result.
 */
export async function readEventsByVersion(
  ledger: Ledger,
  versions: readonly number[],
): Promise<readonly Event[]> {
  const wanted = new Set(versions);
  const events: Event[] = [];
  for (const [first, last] of groupVersions(versions)) {
    for await (const batch of ledger.read(first - 1, last))
      for (const event of batch) if (wanted.has(event.seq)) events.push(event);
  }
  return events;
}

function groupVersions(versions: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const version of versions) {
    const last = found.at(-1);
    if (last !== undefined && version - last[1] <= MAX_GAP) last[1] = version;
    else found.push([version, version]);
  }
  return found;
}
