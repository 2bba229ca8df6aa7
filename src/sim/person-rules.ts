/** What people may rely on: nothing is told twice, a pause is told, and only a person ends one. */

import type { Event } from '../core/model/event.ts';
import type { IssueId, WorkerId } from '../core/model/ids.ts';
import type { WorkerStatusView, WorkerView } from '../protocol/operator.ts';
import type { Chronicle } from './chronicle.ts';
import type { Time } from './time.ts';

/** What is still so a day later is worth a reminder. */
const REMINDED_AFTER_MS = 20 * 3_600_000;
const PAUSED = 'legion-paused';

/** The rest of a key that is about one commit: the same of another commit is something else. */
const OF_A_COMMIT = /:[0-9a-f]{40}$/;

interface Pauses {
  times: number;
  told: number;
  held: number;
}

export class PersonRules {
  readonly #chronicle: Chronicle;
  readonly #time: Time;
  /** When a person last did something for an issue. */
  readonly #acted = new Map<IssueId, number>();
  readonly #toldAt = new Map<string, number>();
  /** Since when each issue is paused that is so now. */
  readonly #paused = new Map<IssueId, number>();
  /** When the last pause of each issue was ordered: people see it from then on, before the tracker shows it. */
  readonly #pauseOrdered = new Map<IssueId, number>();
  /** Pauses in the journal that no write has shown yet. */
  readonly #pauseOwed = new Map<IssueId, { readonly revision: number; readonly at: number }>();
  /** How often each issue was paused, how often that was told, and how often a person held it, which needs no telling. */
  readonly #pauses = new Map<IssueId, Pauses>();

  constructor(chronicle: Chronicle, time: Time) {
    this.#chronicle = chronicle;
    this.#time = time;
  }

  /** Workers a person has stopped, each with the last attempt that may be meant. */
  readonly #stopped = new Map<WorkerId, number>();
  /** `begun`: ordered, but the daemon may have died before it was written down. */
  #halt: 'none' | 'begun' | 'certain' = 'none';

  /** From now on this worker may be ended although it is healthy, and its issue may be paused. */
  stops({ id, issue, attempt }: WorkerView): void {
    this.#chronicle.tell(`a person stops ${id} ${attempt}`);
    this.#stopped.set(id, attempt + 1);
    this.#pausesOf(issue).held += 1;
  }

  halts(workers: readonly WorkerView[]): void {
    this.#chronicle.tell('a person halts the legion');
    for (const { id, attempt } of workers) this.#stopped.set(id, attempt + 1);
    this.#halt = this.#halt === 'certain' ? 'certain' : 'begun';
  }

  halted(): void {
    this.#halt = 'certain';
  }

  resumes(): void {
    this.#halt = 'none';
  }

  get isHalted(): boolean {
    return this.#halt === 'certain';
  }

  mayStop(worker: WorkerId, attempt: number): boolean {
    if (this.#halt !== 'none') this.#stopped.set(worker, attempt);
    return attempt <= (this.#stopped.get(worker) ?? 0);
  }

  settles(kind: string, issue: IssueId | null): void {
    this.#chronicle.tell(`a person settles ${kind} of ${issue ?? 'the legion'}`);
    if (issue !== null) this.#acted.set(issue, this.#time.elapsed);
  }

  hasActedSince(issue: IssueId, elapsed: number): boolean {
    return (this.#acted.get(issue) ?? -1) >= elapsed;
  }

  /** Whoever waits for a person says so once, until that person has done something. */
  told(issue: IssueId, key: string, text: string): void {
    this.#chronicle.tell(`${issue} is told ${key}: ${JSON.stringify(text)}`);
    if (key.includes(':add_legion_paused:')) this.#pausesOf(issue).told += 1;
    if (OF_A_COMMIT.test(key)) return;
    const before = this.#toldAt.get(`${issue} ${text}`);
    this.#toldAt.set(`${issue} ${text}`, this.#time.elapsed);
    if (before === undefined || this.#time.elapsed - before > REMINDED_AFTER_MS) return;
    if (!this.hasActedSince(issue, before)) this.#chronicle.breaks(`${issue} was told twice: ${text}`);
  }

  appended(events: readonly Event[]): void {
    for (const event of events) this.#order(event);
  }

  #order(event: Event): void {
    if (event.type === 'labels.owed' && event.add.includes(PAUSED))
      this.#pauseOwed.set(event.issue, { revision: event.revision, at: this.#time.elapsed });
    const owed = 'issue' in event ? this.#pauseOwed.get(event.issue) : undefined;
    if (event.type === 'labels.written' && owed !== undefined && owed.revision <= event.revision)
      this.#pauseOwed.delete(event.issue);
    if (event.type !== 'intent.opened' || event.command.kind !== 'write_issue') return;
    const { issue, add, covers } = event.command;
    if (!add.includes(PAUSED)) return;
    // A write that only shows a person's hold orders no new pause.
    const hold = this.#pauseOwed.get(issue);
    const isShown = hold !== undefined && hold.revision <= covers;
    this.#pauseOrdered.set(issue, isShown ? hold.at : this.#time.elapsed);
  }

  /** Only a person ends a pause. */
  relabelled(issue: IssueId, add: readonly string[], remove: readonly string[]): void {
    const since = this.#paused.get(issue);
    if (remove.includes(PAUSED) && since !== undefined) {
      this.#paused.delete(issue);
      if (!this.hasActedSince(issue, since)) this.#chronicle.breaks(`${issue} was resumed by nobody`);
    }
    if (add.includes(PAUSED) && since === undefined) {
      this.#chronicle.struck('pause');
      this.#chronicle.tell(`${issue} is paused`);
      this.#paused.set(issue, this.#pauseOrdered.get(issue) ?? this.#time.elapsed);
      this.#pausesOf(issue).times += 1;
    }
  }

  isPaused(issue: IssueId): boolean {
    return this.#paused.has(issue);
  }

  /** Each pause has been told, and none twice, but for those that a person set. */
  ended(): void {
    for (const [issue, { times, told, held }] of this.#pauses) {
      if (told > times || told + held < times)
        this.#chronicle.breaks(`${issue} was paused ${times} times and told so ${told} times`);
    }
  }

  /** Every state of a worker says what ends it. */
  seen({ id, status, health }: WorkerStatusView): void {
    if (health.why === '' || health.wouldChange === '')
      this.#chronicle.breaks(`${id} is ${status} and nothing says what ends that`);
  }

  #pausesOf(issue: IssueId): Pauses {
    const known = this.#pauses.get(issue) ?? { times: 0, told: 0, held: 0 };
    this.#pauses.set(issue, known);
    return known;
  }
}
