/**
 * Checks the rules that must hold throughout a run, based on what really happened rather than on a
 * daemon's view of it.
 */

import type { Event, EventOf } from '../core/model/event.ts';
import { toWorkerId } from '../core/model/ids.ts';
import type { ActiveProblem } from '../daemon/context/active-problems.ts';
import type { SimBoard } from './board.ts';
import { BoardRules } from './board-rules.ts';
import type { SimHost, SimProcess } from './host.ts';
import { SimulationLog } from './log.ts';
import { PersonRules } from './person-rules.ts';
import type { SimTime } from './time.ts';

export class SimulationRules extends SimulationLog {
  readonly journal: JournalRules;
  readonly people: PersonRules;
  readonly board: BoardRules;
  readonly workers: WorkerRules;

  constructor(time: SimTime) {
    super(time);
    this.journal = new JournalRules(this);
    this.people = new PersonRules(this, time);
    this.board = new BoardRules(this, time);
    this.workers = new WorkerRules(this, time, this.people);
  }

  /** Checks that every thrown error has a code. */
  checkProblem({ code, message }: ActiveProblem): void {
    this.record(`trouble ${code}: ${message}`);
    if (code === 'daemon.defect') this.recordViolation(`a defect: ${message}`);
  }
}

interface QuotaLimit {
  readonly process: SimProcess;
  readonly resetAt: number;
  readonly elapsed: number;
}

/** Checks workers: one per issue and mode, none started too early, and no healthy one killed. */
class WorkerRules {
  readonly #log: SimulationLog;
  readonly #time: SimTime;
  readonly #people: PersonRules;
  /** Workers whose quota is used up. */
  readonly #limited = new Map<string, QuotaLimit>();
  /**
   * Attempts with an accepted report. They are over even if the worker did not receive the
   * response.
   */
  readonly #over = new Set<string>();

  constructor(log: SimulationLog, time: SimTime, people: PersonRules) {
    this.#log = log;
    this.#time = time;
    this.#people = people;
  }

  /**
   * Checks that at most one worker per issue and mode is live, and that none starts before its
   * issue's blockers are done.
   */
  started({ host, board }: { host: SimHost; board: SimBoard }, process: SimProcess): void {
    const { worker, attempt, env } = process.order;
    this.#log.record(`${worker} ${attempt} started as ${process.pid}`);
    const { LEGION_ISSUE: issue = '' } = env;
    for (const other of host.processes) {
      if (other === process || other.order.worker !== worker || other.exit !== undefined) continue;
      this.#log.recordViolation(
        `${worker} ${attempt} was started while attempt ${other.order.attempt} was still running`,
      );
    }
    for (const blocker of board.cards.get(issue)?.blockers ?? []) {
      const { column } = board.cards.get(blocker) ?? {};
      if (column !== 'Done')
        this.#log.recordViolation(`${worker} was started while ${blocker} was in ${column}`);
    }
    if (this.#people.isHalted)
      this.#log.recordViolation(`${worker} ${attempt} was started while the legion was halted`);
    if (this.#people.isPaused(issue))
      this.#log.recordViolation(`${worker} ${attempt} was started while ${issue} was paused`);
  }

  /** Records when the provider's quota for this attempt resets. */
  limited(process: SimProcess, resetAt: number): void {
    this.#limited.set(process.order.worker, { process, resetAt, elapsed: this.#time.elapsed });
  }

  /** Checks that no healthy worker is killed. */
  signalled({ order, isHealthy }: SimProcess, signal: string): void {
    this.#log.record(`${order.worker} ${order.attempt} gets ${signal}`);
    const isIntended = this.#people.mayStop(order.worker, order.attempt);
    if (isHealthy && !isIntended && !this.#over.has(`${order.worker}/${order.attempt}`))
      this.#log.recordViolation(`${order.worker} ${order.attempt} was healthy and got ${signal}`);
  }

  /** Checks that no attempt starts before the reset time that the provider announced. */
  appended(event: Event): void {
    if (event.type === 'attempt.report_accepted')
      this.#over.add(`${toWorkerId(event.issue, event.mode)}/${event.attempt}`);
    if (event.type !== 'attempt.dispatched') return;
    const { issue, mode, attempt, at } = event;
    const worker = toWorkerId(issue, mode);
    const limit = this.#limited.get(worker);
    if (limit === undefined || attempt !== limit.process.order.attempt + 1) return;
    // If the clock was changed after the process started, the times cannot be compared.
    const isEarly = at < limit.resetAt && this.#time.jumpedAt < limit.process.startedAt;
    if (isEarly && !this.#people.hasActedSince(issue, limit.elapsed))
      this.#log.recordViolation(`${worker} ${attempt} was dispatched before the quota reset`);
  }
}

/** Events that only the newest attempt of a worker may cause. */
const NEWEST_ATTEMPT_EVENTS: ReadonlySet<string> = new Set([
  'attempt.report_accepted',
  'checkpoint.saved',
  'question.asked',
  'attempt.waiting',
]);
/** Modes whose work leaves evidence in the journal. */
const MODES_WITH_PROOF: ReadonlySet<string> = new Set(['architect', 'plan', 'test']);

/**
 * Checks the journal: one leader at a time, attempts in order, reports backed by evidence, and no
 * acknowledged report lost.
 */
export class JournalRules {
  readonly #log: SimulationLog;
  readonly #newest = new Map<string, number>();
  readonly #reported = new Map<string, 'done' | 'error' | 'sent back'>();
  readonly #proofs = new Set<string>();
  #epoch = 0;

  constructor(log: SimulationLog) {
    this.#log = log;
  }

  appended(events: readonly Event[]): void {
    for (const event of events) {
      this.#log.record(`#${event.seq} ${JSON.stringify(event)}`);
      this.#checkLeader(event);
      this.#recordEvidence(event);
      this.#checkAttemptOrder(event);
    }
  }

  /** Checks that an acknowledged report is in the journal. */
  checkAcknowledgedReport(worker: string, attempt: number): void {
    if (!this.#reported.has(`${worker} ${attempt}`))
      this.#log.recordViolation(
        `the report of ${worker} ${attempt} was acknowledged but is not in the journal`,
      );
  }

  /**
   * Checks that a stored message is dropped only by a daemon that knows that the attempt is over.
   */
  checkDroppedMessage(worker: string, attempt: number, code: string): void {
    this.#log.record(`a message of ${worker} ${attempt} is dropped: ${code}`);
    if (code !== 'worker.attempt_over' || (this.#newest.get(worker) ?? 0) < attempt)
      this.#log.recordViolation(`a message of ${worker} ${attempt} was dropped: ${code}`);
  }

  /** Checks that a former leader has no side effects. */
  checkWriter(epoch: number | undefined, action: string): void {
    if (epoch !== undefined && epoch < this.#epoch)
      this.#log.recordViolation(
        `the daemon of epoch ${epoch} performed ${action} while epoch ${this.#epoch} was the current one`,
      );
  }

  /** Checks that an earlier leader writes nothing after another daemon has become the leader. */
  #checkLeader({ type, epoch }: Event): void {
    if (epoch < this.#epoch)
      this.#log.recordViolation(
        `${type} was written in epoch ${epoch} while epoch ${this.#epoch} was the current one`,
      );
    if (epoch > this.#epoch && type !== 'leader.elected')
      this.#log.recordViolation(`epoch ${epoch} begins with ${type}`);
    this.#epoch = Math.max(this.#epoch, epoch);
  }

  /**
   * Checks that attempt numbers increase by one, and that only the newest attempt changes state.
   */
  #checkAttemptOrder(event: Event): void {
    if (!('attempt' in event) || event.attempt === undefined || !('mode' in event)) return;
    const worker = toWorkerId(event.issue, event.mode);
    const newest = this.#newest.get(worker) ?? 0;
    if (NEWEST_ATTEMPT_EVENTS.has(event.type) && event.attempt !== newest)
      this.#log.recordViolation(
        `${event.type} for attempt ${event.attempt} of ${worker}, but the newest attempt is ${newest}`,
      );
    if (event.type === 'attempt.report_accepted') this.#checkEvidence(event);
    if (event.type === 'attempt.dispatched') {
      if (event.attempt !== newest + 1)
        this.#log.recordViolation(`attempt ${event.attempt} of ${worker} follows attempt ${newest}`);
      this.#newest.set(worker, event.attempt);
    }
  }

  /** Checks that an accepted phase has left its evidence. */
  #checkEvidence({ issue, mode, attempt }: Extract<Event, { type: 'attempt.report_accepted' }>): void {
    if (this.#reported.get(`${toWorkerId(issue, mode)} ${attempt}`) !== 'done') return;
    const proof = mode === 'test' ? `${issue} test` : `${issue} handoff ${mode}`;
    if (MODES_WITH_PROOF.has(mode) && !this.#proofs.has(proof))
      this.#log.recordViolation(`${issue}: ${mode} was accepted without evidence`);
  }

  #recordEvidence(event: Event): void {
    if (event.type === 'attempt.reported')
      this.#reported.set(`${toWorkerId(event.issue, event.mode)} ${event.attempt}`, toReportOutcome(event));
    if (event.type === 'handoff.written') this.#proofs.add(`${event.issue} handoff ${event.phase}`);
    if (event.type === 'evidence.recorded' && event.kind === 'test') this.#proofs.add(`${event.issue} test`);
  }
}

/** Work that is sent back leaves no evidence except the reason for sending it back. */
function toReportOutcome({ outcome, sentBack }: EventOf<'attempt.reported'>): 'done' | 'error' | 'sent back' {
  return sentBack === undefined ? outcome : 'sent back';
}
