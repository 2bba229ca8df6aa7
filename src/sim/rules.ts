/** What must hold at every moment of a story, checked from outside: not by what a daemon believes, but by what happened. */

import type { Event } from '../core/model/event.ts';
import { workerId } from '../core/model/ids.ts';
import type { Trouble } from '../daemon/troubles.ts';
import { BoardRules } from './board-rules.ts';
import { Chronicle } from './chronicle.ts';
import type { SimProcess } from './host.ts';
import { JournalRules } from './journal-rules.ts';
import { PersonRules } from './person-rules.ts';
import type { Time } from './time.ts';
import type { Earth } from './world.ts';

export class Rules extends Chronicle {
  readonly journal: JournalRules;
  readonly people: PersonRules;
  readonly board: BoardRules;
  readonly workers: WorkerRules;

  constructor(time: Time) {
    super(time);
    this.journal = new JournalRules(this);
    this.people = new PersonRules(this, time);
    this.board = new BoardRules(this, time);
    this.workers = new WorkerRules(this, time, this.people);
  }

  /** Nothing that has no code is ever thrown. */
  troubled({ code, message }: Trouble): void {
    this.tell(`trouble ${code}: ${message}`);
    if (code === 'daemon.defect') this.breaks(`a defect: ${message}`);
  }
}

interface Limited {
  readonly process: SimProcess;
  readonly resetAt: number;
  readonly elapsed: number;
}

/** Workers: one per issue and mode, none started too early, and no healthy one killed. */
class WorkerRules {
  readonly #chronicle: Chronicle;
  readonly #time: Time;
  readonly #people: PersonRules;
  /** Workers whose quota is used up. */
  readonly #limited = new Map<string, Limited>();
  /** Attempts whose report is accepted: they are over, even if the answer to the worker was lost. */
  readonly #over = new Set<string>();

  constructor(chronicle: Chronicle, time: Time, people: PersonRules) {
    this.#chronicle = chronicle;
    this.#time = time;
    this.#people = people;
  }

  /** At most one live worker per issue and mode, and none while others have to be done first. */
  started({ host, board }: Earth, process: SimProcess): void {
    const { worker, attempt, env } = process.order;
    this.#chronicle.tell(`${worker} ${attempt} started as ${process.pid}`);
    const { LEGION_ISSUE: issue = '' } = env;
    for (const other of host.processes) {
      if (other === process || other.order.worker !== worker || other.exit !== undefined) continue;
      this.#chronicle.breaks(
        `${worker} ${attempt} was started beside ${other.order.attempt}, which is still there`,
      );
    }
    for (const blocker of board.cards.get(issue)?.blockers ?? []) {
      const { column } = board.cards.get(blocker) ?? {};
      if (column !== 'Done') this.#chronicle.breaks(`${worker} was started while ${blocker} is in ${column}`);
    }
    if (this.#people.isHalted)
      this.#chronicle.breaks(`${worker} ${attempt} was started while the legion is halted`);
    if (this.#people.isPaused(issue))
      this.#chronicle.breaks(`${worker} ${attempt} was started while ${issue} is paused`);
  }

  /** The provider has told this attempt when there will be quota again. */
  limited(process: SimProcess, resetAt: number): void {
    this.#limited.set(process.order.worker, { process, resetAt, elapsed: this.#time.elapsed });
  }

  /** No healthy worker is killed. */
  signalled({ order, isHealthy }: SimProcess, signal: string): void {
    this.#chronicle.tell(`${order.worker} ${order.attempt} gets ${signal}`);
    const isMeant = this.#people.mayStop(order.worker, order.attempt);
    if (isHealthy && !isMeant && !this.#over.has(`${order.worker}/${order.attempt}`))
      this.#chronicle.breaks(`${order.worker} ${order.attempt} was healthy and got ${signal}`);
  }

  /** An attempt before the time that the provider named would only exceed the quota again. */
  appended(event: Event): void {
    if (event.type === 'attempt.report_accepted')
      this.#over.add(`${workerId(event.issue, event.mode)}/${event.attempt}`);
    if (event.type !== 'attempt.dispatched') return;
    const { issue, mode, attempt, at } = event;
    const worker = workerId(issue, mode);
    const limit = this.#limited.get(worker);
    if (limit === undefined || attempt !== limit.process.order.attempt + 1) return;
    // Of a clock that was set meanwhile nobody can tell what comes before what.
    const isEarly = at < limit.resetAt && this.#time.jumpedAt < limit.process.startedAt;
    if (isEarly && !this.#people.hasActedSince(issue, limit.elapsed))
      this.#chronicle.breaks(`${worker} ${attempt} was sent before there was quota again`);
  }
}
