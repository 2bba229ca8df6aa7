/** Where workers leave what they have to say while no daemon is there, and a flag once they have reported. */
import type { Speech, WorkerIdentity } from '../daemon/daemon.ts';
import { isForGood } from '../daemon/outbox/for-good.ts';
import type { LeftReport } from '../daemon/outbox/report-left.ts';
import type { VerbName } from '../protocol/verb.ts';

export interface Letter {
  readonly who: WorkerIdentity;
  readonly worker: string;
  readonly verb: VerbName;
  readonly input: object;
  readonly message: string;
}

interface Kept extends Letter {
  readonly at: number;
}

export class Outboxes {
  readonly #letters: Kept[] = [];
  readonly #flags = new Map<string, Kept>();
  readonly #thrownAway: (letter: Letter, why: string) => void;

  /** `thrownAway` hears of each that was refused for good. */
  constructor(thrownAway: (letter: Letter, code: string) => void) {
    this.#thrownAway = thrownAway;
  }

  /** What nobody has read. */
  get left(): readonly Letter[] {
    return this.#letters;
  }

  keep(letter: Letter, at: number): void {
    this.#letters.push({ ...letter, at });
  }

  /** The report has been acknowledged. */
  flag(letter: Letter, at: number): void {
    this.#flags.set(`${letter.worker} ${letter.who.attempt}`, { ...letter, at });
  }

  holdsWordsOf(worker: string, attempt: number): boolean {
    return this.#letters.some((each) => each.worker === worker && each.who.attempt === attempt);
  }

  /** What a daemon finds that looks for a report of this attempt. */
  reportLeft(worker: string, attempt: number): LeftReport {
    const waiting = this.#letters.findLast(
      (each) => each.worker === worker && each.who.attempt === attempt && isReport(each.verb),
    );
    const found = waiting ?? this.#flags.get(`${worker} ${attempt}`);
    if (found === undefined || !isReport(found.verb)) return 'none';
    return { where: waiting === undefined ? 'done_flag' : 'outbox', outcome: found.verb, since: found.at };
  }

  /** Each once and in order; what cannot be taken in now stays, with what the same worker said after it. */
  async takeIn(speech: Speech): Promise<void> {
    const stuck = new Set<string>();
    for (const letter of [...this.#letters]) {
      const { who, verb, input, message } = letter;
      const sender = `${who.issue}/${who.mode}/${who.attempt}`;
      if (stuck.has(sender)) continue;
      try {
        await speech.say(who, verb, input, message);
        this.#remove(letter);
      } catch (error) {
        if (!isForGood(error)) {
          stuck.add(sender);
          continue;
        }
        this.#thrownAway(letter, error.code);
        this.#remove(letter);
      }
    }
  }

  #remove(letter: Kept): void {
    const at = this.#letters.indexOf(letter);
    if (at >= 0) this.#letters.splice(at, 1);
  }
}

function isReport(verb: VerbName): verb is 'done' | 'error' {
  return verb === 'done' || verb === 'error';
}
