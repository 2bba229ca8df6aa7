/** Where workers leave what they have to say while no daemon is there. */
import type { Speech, WorkerIdentity } from '../daemon/daemon.ts';
import { isForGood } from '../daemon/outbox/for-good.ts';
import type { VerbName } from '../protocol/verb.ts';

export interface Letter {
  readonly who: WorkerIdentity;
  readonly verb: VerbName;
  readonly input: object;
  readonly message: string;
}

export class Outboxes {
  readonly #letters: Letter[] = [];

  /** What nobody has read. */
  get left(): readonly Letter[] {
    return this.#letters;
  }

  keep(letter: Letter): void {
    this.#letters.push(letter);
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
        if (isForGood(error)) this.#remove(letter);
        else stuck.add(sender);
      }
    }
  }

  #remove(letter: Letter): void {
    const at = this.#letters.indexOf(letter);
    if (at >= 0) this.#letters.splice(at, 1);
  }
}
