/**
 * Checks guarantees for people: no notification is repeated, every pause is announced, and only a
 * person ends a pause.
 */

import type { Event } from '../core/model/event.ts';
import type { IssueId, WorkerId } from '../core/model/ids.ts';
import type { WorkerStatusView, WorkerView } from '../protocol/workers.ts';
import type { SimulationLog } from './log.ts';
import type { SimTime } from './time.ts';

/** A state that persists for a day may be reported again. */
const REMINDED_AFTER_MS = 20 * 3_600_000;
const PAUSED_LABEL = 'legion-paused';

/**
 * Suffix of notification keys that concern one commit. The same text for another commit is not a
 * duplicate.
 */
const COMMIT_KEY_SUFFIX = /:[0-9a-f]{40}$/;

interface PauseCounts {
  times: number;
  announced: number;
  held: number;
}

export class PersonRules {
  readonly #log: SimulationLog;
  readonly #time: SimTime;
  /** Time of a person's last action for an issue. */
  readonly #acted = new Map<IssueId, number>();
  readonly #commentedAt = new Map<string, number>();
  /** Start of the current pause of each paused issue. */
  readonly #paused = new Map<IssueId, number>();
  /**
   * When the last pause of each issue was ordered. People can see the pause from then on, before
   * the tracker shows it.
   */
  readonly #pauseOrdered = new Map<IssueId, number>();
  /** Pauses in the journal that have not been written to the tracker yet. */
  readonly #pauseOwed = new Map<IssueId, { readonly revision: number; readonly at: number }>();
  /**
   * Counts per issue: how often it was paused, how often a pause was announced, and how often a
   * person held it, which needs no announcement.
   */
  readonly #pauses = new Map<IssueId, PauseCounts>();

  constructor(log: SimulationLog, time: SimTime) {
    this.#log = log;
    this.#time = time;
  }

  /** Workers stopped by a person, each with the last attempt that the stop may affect. */
  readonly #stopped = new Map<WorkerId, number>();
  /**
   * State of a halt by a person. `begun` means ordered, but the daemon may have died before
   * journaling it.
   */
  #halt: 'none' | 'begun' | 'certain' = 'none';

  /**
   * Records that a person stops this worker. It may then be stopped although it is healthy, and its
   * issue may be paused.
   */
  recordStop({ id, issue, attempt }: WorkerView): void {
    this.#log.record(`a person stops ${id} ${attempt}`);
    this.#stopped.set(id, attempt + 1);
    this.#pausesOf(issue).held += 1;
  }

  recordHaltOrder(workers: readonly WorkerView[]): void {
    this.#log.record('a person halts the legion');
    for (const { id, attempt } of workers) this.#stopped.set(id, attempt + 1);
    this.#halt = this.#halt === 'certain' ? 'certain' : 'begun';
  }

  recordHalt(): void {
    this.#halt = 'certain';
  }

  recordResume(): void {
    this.#halt = 'none';
  }

  get isHalted(): boolean {
    return this.#halt === 'certain';
  }

  mayStop(worker: WorkerId, attempt: number): boolean {
    if (this.#halt !== 'none') this.#stopped.set(worker, attempt);
    return attempt <= (this.#stopped.get(worker) ?? 0);
  }

  recordAction(kind: string, issue: IssueId | null): void {
    this.#log.record(`a person settles ${kind} of ${issue ?? 'the legion'}`);
    if (issue !== null) this.#acted.set(issue, this.#time.elapsed);
  }

  hasActedSince(issue: IssueId, elapsed: number): boolean {
    return (this.#acted.get(issue) ?? -1) >= elapsed;
  }

  /**
   * Checks that a wait for a person is not announced again before that person acts, except as a
   * daily reminder.
   */
  checkComment(issue: IssueId, key: string, text: string): void {
    this.#log.record(`${issue} gets comment ${key}: ${JSON.stringify(text)}`);
    if (key.includes(':add_legion_paused:')) this.#pausesOf(issue).announced += 1;
    if (COMMIT_KEY_SUFFIX.test(key)) return;
    const before = this.#commentedAt.get(`${issue} ${text}`);
    this.#commentedAt.set(`${issue} ${text}`, this.#time.elapsed);
    if (before === undefined || this.#time.elapsed - before > REMINDED_AFTER_MS) return;
    if (!this.hasActedSince(issue, before))
      this.#log.recordViolation(`${issue} got a duplicate comment: ${text}`);
  }

  appended(events: readonly Event[]): void {
    for (const event of events) this.#recordOrder(event);
  }

  #recordOrder(event: Event): void {
    if (event.type === 'labels.owed' && event.add.includes(PAUSED_LABEL))
      this.#pauseOwed.set(event.issue, { revision: event.revision, at: this.#time.elapsed });
    const owedPause = 'issue' in event ? this.#pauseOwed.get(event.issue) : undefined;
    if (event.type === 'labels.written' && owedPause !== undefined && owedPause.revision <= event.revision)
      this.#pauseOwed.delete(event.issue);
    if (event.type !== 'intent.opened' || event.command.kind !== 'write_issue') return;
    const { issue, add, covers } = event.command;
    if (!add.includes(PAUSED_LABEL)) return;
    // A write that only shows a person's hold does not order a new pause.
    const hold = this.#pauseOwed.get(issue);
    const isShown = hold !== undefined && hold.revision <= covers;
    this.#pauseOrdered.set(issue, isShown ? hold.at : this.#time.elapsed);
  }

  /** Checks that only a person ends a pause. */
  checkLabelChange(issue: IssueId, add: readonly string[], remove: readonly string[]): void {
    const since = this.#paused.get(issue);
    if (remove.includes(PAUSED_LABEL) && since !== undefined) {
      this.#paused.delete(issue);
      if (!this.hasActedSince(issue, since))
        this.#log.recordViolation(`${issue} was resumed without a person`);
    }
    if (add.includes(PAUSED_LABEL) && since === undefined) {
      this.#log.countFault('pause');
      this.#log.record(`${issue} is paused`);
      this.#paused.set(issue, this.#pauseOrdered.get(issue) ?? this.#time.elapsed);
      this.#pausesOf(issue).times += 1;
    }
  }

  isPaused(issue: IssueId): boolean {
    return this.#paused.has(issue);
  }

  /**
   * Checks that each pause was announced exactly once. Pauses set by a person need no announcement.
   */
  checkAnnouncements(): void {
    for (const [issue, { times, announced, held }] of this.#pauses) {
      if (announced > times || announced + held < times)
        this.#log.recordViolation(
          `${issue} was paused ${times} times, but ${announced} announcements were made`,
        );
    }
  }

  /** Checks that the status of every worker says what ends its current state. */
  checkWorkerStatus({ id, status, health }: WorkerStatusView): void {
    if (health.why === '' || health.wouldChange === '')
      this.#log.recordViolation(`${id} is ${status} without an explanation of what ends this state`);
  }

  #pausesOf(issue: IssueId): PauseCounts {
    const known = this.#pauses.get(issue) ?? { times: 0, announced: 0, held: 0 };
    this.#pauses.set(issue, known);
    return known;
  }
}
