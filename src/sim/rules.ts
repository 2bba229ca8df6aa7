/** What must hold at every moment of a story, checked from outside: not by what a daemon believes, but by what happened. */
import { createHash } from 'node:crypto';
import type { Trouble } from '../daemon/troubles.ts';
import type { Event } from '../domain/event.ts';
import type { IssueId } from '../domain/ids.ts';
import type { Earth } from './earth.ts';
import type { SimProcess } from './host.ts';
import type { Time } from './time.ts';

/** Where an issue may go from each column; every other way would skip something. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  Triage: ['Icebox', 'Backlog', 'Todo'],
  Icebox: ['Backlog'],
  Backlog: ['Todo'],
  Todo: ['In Progress'],
  'In Progress': ['Testing'],
  Testing: ['Needs Review', 'In Progress'],
  'Needs Review': ['Retro', 'In Progress'],
  Retro: ['Done', 'Needs Review', 'Testing', 'In Progress'],
};

/** What only the newest attempt of a worker may say. */
const SPOKEN: ReadonlySet<string> = new Set([
  'attempt.report_accepted',
  'checkpoint.saved',
  'question.asked',
  'attempt.waiting',
]);
/** Modes whose work leaves its mark in the journal. */
const PROVEN: ReadonlySet<string> = new Set(['architect', 'plan', 'test']);

export class Rules {
  readonly broken: string[] = [];
  readonly story: string[] = [];
  readonly #time: Time;
  readonly #hash = createHash('sha256');
  readonly #merged = new Map<IssueId, string>();
  readonly #newest = new Map<string, number>();
  readonly #reported = new Map<string, 'done' | 'error'>();
  readonly #proofs = new Set<string>();

  constructor(time: Time) {
    this.#time = time;
  }

  get trace(): string {
    return this.#hash.copy().digest('hex');
  }

  tell(what: string): void {
    const line = `${(this.#time.elapsed / 1_000).toFixed(3).padStart(12)}  ${what}`;
    this.story.push(line);
    this.#hash.update(line);
  }

  #breaks(what: string): void {
    this.tell(`BROKEN ${what}`);
    this.broken.push(what);
  }

  appended(events: readonly Event[]): void {
    for (const event of events) {
      const { type, seq, epoch, at, ...rest } = event;
      this.#hash.update(`${at}`);
      this.tell(`#${seq} e${epoch} ${type} ${JSON.stringify(rest)}`);
      this.#noted(event);
      this.#attemptsInOrder(event);
    }
  }

  /** Attempts count up one by one, and only the newest moves anything. */
  #attemptsInOrder(event: Event): void {
    if (!('attempt' in event) || event.attempt === undefined || !('mode' in event)) return;
    const worker = `${event.issue} ${event.mode}`;
    const newest = this.#newest.get(worker) ?? 0;
    if (SPOKEN.has(event.type) && event.attempt !== newest)
      this.#breaks(`${event.type} of ${worker} ${event.attempt} while ${newest} is the newest`);
    if (event.type === 'attempt.report_accepted') this.#proven(event);
    if (event.type === 'attempt.dispatched') {
      if (event.attempt !== newest + 1)
        this.#breaks(`${worker} has attempt ${event.attempt} after ${newest}`);
      this.#newest.set(worker, event.attempt);
    }
  }

  /** What a phase claims to have left is there. */
  #proven({ issue, mode, attempt }: Extract<Event, { type: 'attempt.report_accepted' }>): void {
    if (this.#reported.get(`${issue} ${mode} ${attempt}`) !== 'done') return;
    const proof = mode === 'test' ? `${issue} test` : `${issue} handoff ${mode}`;
    if (PROVEN.has(mode) && !this.#proofs.has(proof))
      this.#breaks(`${issue}: ${mode} was accepted and has left nothing`);
  }

  #noted(event: Event): void {
    if (event.type === 'attempt.reported')
      this.#reported.set(`${event.issue} ${event.mode} ${event.attempt}`, event.outcome);
    if (event.type === 'handoff.written') this.#proofs.add(`${event.issue} handoff ${event.phase}`);
    if (event.type === 'evidence.recorded' && event.kind === 'test') this.#proofs.add(`${event.issue} test`);
  }

  troubled({ code, message }: Trouble): void {
    this.tell(`trouble ${code}: ${message}`);
    if (code === 'daemon.defect') this.#breaks(`a defect: ${message}`);
  }

  /** No phase is skipped. */
  moved(issue: IssueId, from: string, to: string): void {
    this.tell(`${issue} moved from ${from} to ${to}`);
    if (WAYS[from]?.includes(to) !== true) this.#breaks(`${issue} went from ${from} to ${to}`);
    if (to === 'Done' && !this.#merged.has(issue))
      this.#breaks(`${issue} is Done and nothing of it has landed`);
  }

  /** At most one live worker per issue and mode, and none while others have to be done first. */
  started({ host, board }: Earth, process: SimProcess): void {
    const { worker, attempt, env } = process.order;
    this.tell(`${worker} ${attempt} started as ${process.pid}`);
    const others = host.processes.filter(
      (each) => each !== process && each.order.worker === worker && each.exit === undefined,
    );
    for (const other of others) {
      this.#breaks(`${worker} ${attempt} was started beside ${other.order.attempt}, which is still there`);
    }
    const { LEGION_ISSUE: issue = '' } = env;
    for (const blocker of board.cards.get(issue)?.blockers ?? []) {
      const { column } = board.cards.get(blocker) ?? {};
      if (column !== 'Done') this.#breaks(`${worker} was started while ${blocker} is in ${column}`);
    }
  }

  /** Nobody healthy is killed. */
  signalled({ order, isHealthy }: SimProcess, signal: string): void {
    this.tell(`${order.worker} ${order.attempt} gets ${signal}`);
    if (isHealthy) this.#breaks(`${order.worker} ${order.attempt} was healthy and got ${signal}`);
  }

  /** A report that was acknowledged is in the journal. */
  acknowledged({ journal }: Earth, worker: string, attempt: number): void {
    const isKept = journal.events.some(
      (event) =>
        event.type === 'attempt.reported' &&
        `${event.issue}-${event.mode}`.toLowerCase() === worker &&
        event.attempt === attempt,
    );
    if (!isKept)
      this.#breaks(`the report of ${worker} ${attempt} was acknowledged and is not in the journal`);
  }

  /** Nothing lands untested, unreviewed, with red checks, or twice. */
  landed({ journal, forge, code, board }: Earth, issue: IssueId, sha: string): void {
    this.tell(`${issue} landed as ${sha}`);
    if (this.#merged.has(issue)) this.#breaks(`${issue} landed twice`);
    this.#merged.set(issue, sha);
    const { labels } = board.cards.get(issue) ?? {};
    if (labels?.has('feature') === true && !labels.has('human-approved')) {
      this.#breaks(`${issue} is a feature and landed without a person's approval`);
    }
    const entry = forge.entries.findLast(({ branch }) => branch === issue);
    const head = entry?.merged?.headSha ?? '';
    const holds = (at: string) =>
      code.changed(at, head)?.every((file) => file.startsWith('docs/solutions/')) === true;
    const proofs = journal.events.filter(
      (event) => event.type === 'evidence.recorded' && event.issue === issue,
    );
    const last = (kind: string) =>
      proofs.findLast((event) => event.type === 'evidence.recorded' && event.kind === kind);
    for (const kind of ['test', 'retro']) {
      const proof = last(kind);
      const passed = proof?.type === 'evidence.recorded' && proof.verdict === 'passed' && holds(proof.sha);
      if (!passed) this.#breaks(`${issue} landed without a passed ${kind} at its head`);
    }
    const review = entry?.reviews.at(-1);
    if (review?.verdict !== 'approved' || !holds(review.sha))
      this.#breaks(`${issue} landed without an approval`);
  }

  /** A report that a worker was told to be safe has arrived. */
  unread(worker: string): void {
    this.#breaks(`a letter of ${worker} was never read`);
  }

  /** What is left when everything is healed and everybody has answered. */
  stuck(issue: IssueId, column: string, why: string): void {
    this.#breaks(`${issue} stays in ${column}: ${why}`);
  }
}
