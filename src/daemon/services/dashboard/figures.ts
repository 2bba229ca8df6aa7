/** What figures are made of, kept from the journal as it is taken in: what came to an end and when, and what was spent in each minute. */
import type { Event, EventOf } from '../../../core/model/event.ts';
import { type IssueId, type WorkerId, workerId } from '../../../core/model/ids.ts';
import type { SeenStatus } from '../../../core/model/status.ts';
import type { Sighting } from '../../../core/state/state.ts';

/** Of each kind; the oldest go first. Some megabytes in all, and months of a busy legion. */
const KEPT_MOST = 20_000;
/** What is only summed is summed by this much time: a year of work has fewer such parts than are kept. */
export const GRAIN_MS = 60_000;

interface Done {
  readonly issue: IssueId;
  readonly at: number;
  /** Since the first work on it; undefined where nobody of ours worked on it. */
  readonly ms: number | undefined;
  readonly cost: Cost;
}

/** Of all work on an issue; it may still grow after Done, while its last worker ends. */
interface Cost {
  usd: number;
}

interface Stay {
  readonly status: SeenStatus;
  readonly at: number;
  readonly ms: number;
}

interface Kill {
  readonly kill: number;
  readonly at: number;
  right: boolean | undefined;
}

/** From `at` on, for one grain. */
interface Sums {
  readonly at: number;
  usd: number;
  tokens: number;
  attempts: number;
  crashed: number;
}

export class FiguresRecord {
  readonly done = new Kept<Done>();
  readonly stays = new Kept<Stay>();
  readonly kills = new Kept<Kill>();
  readonly sums = new Kept<Sums>();
  readonly #begun = new Map<IssueId, number>();
  readonly #costs = new Map<IssueId, Cost>();
  /** Issues that are merged, or that Legion decided to move to Done, since they were last anywhere else. */
  readonly #finished = new Set<IssueId>();
  /** Issues in Done that nothing but a person's move explains yet. */
  readonly #movedByHand = new Map<IssueId, Done>();
  readonly #spent = new Map<WorkerId, { attempt: number; usd: number; tokens: number }>();

  /** Only what moved something; `before` is what the board showed of its issue until then. */
  take(event: Event, before: Sighting | undefined): void {
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

  #moved({ issue, status, at }: EventOf<'issue.sighted'>, before: Sighting | undefined): void {
    // One that was seen for the first time, or came back, has moved from nowhere.
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

  /** A merge on the forge's pages may be read only after the board has shown the issue in Done. */
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

  #stayed(before: Sighting | undefined, at: number): void {
    if (before === undefined || before.left === true) return;
    this.stays.add({ status: before.status, at, ms: Math.max(0, at - before.since) });
  }

  /** Amounts are those of the whole attempt so far; they never fall. */
  #used({ issue, mode, attempt, usd, tokens, at }: EventOf<'attempt.spent'>): void {
    const worker = workerId(issue, mode);
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

  #sumsAt(time: number): Sums {
    const at = Math.floor(time / GRAIN_MS) * GRAIN_MS;
    const last = this.sums.all.at(-1);
    // By a clock that was set back it would be earlier: the part that is there takes it.
    if (last !== undefined && last.at >= at) return last;
    const sums = { at, usd: 0, tokens: 0, attempts: 0, crashed: 0 };
    this.sums.add(sums);
    return sums;
  }
}

/** The newest of what was added. */
class Kept<T> {
  #all: T[] = [];

  get all(): readonly T[] {
    return this.#all;
  }

  add(item: T): void {
    this.#all.push(item);
    // A quarter at once, so that this is rare.
    if (this.#all.length > KEPT_MOST) this.#all = this.#all.slice(KEPT_MOST / 4);
  }
}
