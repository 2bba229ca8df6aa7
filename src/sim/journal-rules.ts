/** What the journal may hold: one leader after the other, attempts in order, reports with what they claim, nothing acknowledged lost. */
import type { Event, EventOf } from '../core/model/event.ts';
import { workerId } from '../core/model/ids.ts';
import type { Chronicle } from './chronicle.ts';

/** What only the newest attempt of a worker may say. */
const SPOKEN: ReadonlySet<string> = new Set([
  'attempt.report_accepted',
  'checkpoint.saved',
  'question.asked',
  'attempt.waiting',
]);
/** Modes whose work leaves its mark in the journal. */
const PROVEN: ReadonlySet<string> = new Set(['architect', 'plan', 'test']);

export class JournalRules {
  readonly #chronicle: Chronicle;
  readonly #newest = new Map<string, number>();
  readonly #reported = new Map<string, 'done' | 'error' | 'sent back'>();
  readonly #proofs = new Set<string>();
  #epoch = 0;

  constructor(chronicle: Chronicle) {
    this.#chronicle = chronicle;
  }

  appended(events: readonly Event[]): void {
    for (const event of events) {
      this.#chronicle.tell(`#${event.seq} ${JSON.stringify(event)}`);
      this.#oneLeader(event);
      this.#noted(event);
      this.#attemptsInOrder(event);
    }
  }

  /** A report that was acknowledged is in the journal. */
  acknowledged(worker: string, attempt: number): void {
    if (!this.#reported.has(`${worker} ${attempt}`))
      this.#chronicle.breaks(`the report of ${worker} ${attempt} was acknowledged and is not in the journal`);
  }

  /** A word that waited for a daemon is thrown away only by one that knows its speaker. */
  thrownAway(worker: string, attempt: number, code: string): void {
    this.#chronicle.tell(`a letter of ${worker} ${attempt} is thrown away: ${code}`);
    if (code !== 'worker.attempt_over' || (this.#newest.get(worker) ?? 0) < attempt)
      this.#chronicle.breaks(`a letter of ${worker} ${attempt} was thrown away: ${code}`);
  }

  /** Whoever is no longer the leader does nothing outside, either. */
  acted(epoch: number | undefined, what: string): void {
    if (epoch !== undefined && epoch < this.#epoch)
      this.#chronicle.breaks(`the daemon of epoch ${epoch} did ${what} while that of ${this.#epoch} leads`);
  }

  /** After an election nothing of an earlier leader is written any more. */
  #oneLeader({ type, epoch }: Event): void {
    if (epoch < this.#epoch)
      this.#chronicle.breaks(`${type} was written in epoch ${epoch} while ${this.#epoch} leads`);
    if (epoch > this.#epoch && type !== 'leader.elected')
      this.#chronicle.breaks(`epoch ${epoch} begins with ${type}`);
    this.#epoch = Math.max(this.#epoch, epoch);
  }

  /** Attempts count up one by one, and only the newest moves anything. */
  #attemptsInOrder(event: Event): void {
    if (!('attempt' in event) || event.attempt === undefined || !('mode' in event)) return;
    const worker = workerId(event.issue, event.mode);
    const newest = this.#newest.get(worker) ?? 0;
    if (SPOKEN.has(event.type) && event.attempt !== newest)
      this.#chronicle.breaks(`${event.type} of ${worker} ${event.attempt} while ${newest} is the newest`);
    if (event.type === 'attempt.report_accepted') this.#proven(event);
    if (event.type === 'attempt.dispatched') {
      if (event.attempt !== newest + 1)
        this.#chronicle.breaks(`${worker} has attempt ${event.attempt} after ${newest}`);
      this.#newest.set(worker, event.attempt);
    }
  }

  /** What a phase claims to have left is there. */
  #proven({ issue, mode, attempt }: Extract<Event, { type: 'attempt.report_accepted' }>): void {
    if (this.#reported.get(`${workerId(issue, mode)} ${attempt}`) !== 'done') return;
    const proof = mode === 'test' ? `${issue} test` : `${issue} handoff ${mode}`;
    if (PROVEN.has(mode) && !this.#proofs.has(proof))
      this.#chronicle.breaks(`${issue}: ${mode} was accepted and has left nothing`);
  }

  #noted(event: Event): void {
    if (event.type === 'attempt.reported')
      this.#reported.set(`${workerId(event.issue, event.mode)} ${event.attempt}`, outcomeOf(event));
    if (event.type === 'handoff.written') this.#proofs.add(`${event.issue} handoff ${event.phase}`);
    if (event.type === 'evidence.recorded' && event.kind === 'test') this.#proofs.add(`${event.issue} test`);
  }
}

/** Work that goes back leaves nothing but its reason. */
function outcomeOf({ outcome, sentBack }: EventOf<'attempt.reported'>): 'done' | 'error' | 'sent back' {
  return sentBack === undefined ? outcome : 'sent back';
}
