/** What happened in a story, line by line; what of it breaks a rule, and which troubles there were. */
import { createHash } from 'node:crypto';
import type { Time } from './time.ts';

export class Chronicle {
  readonly broken: string[] = [];
  readonly story: string[] = [];
  readonly troubles = new Map<string, number>();
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Equal for two runs in which the same happened in the same order at the same time. */
  get trace(): string {
    return createHash('sha256').update(this.story.join('\n')).digest('hex');
  }

  tell(what: string): void {
    this.story.push(`${(this.#time.elapsed / 1_000).toFixed(3).padStart(12)}  ${what}`);
  }

  breaks(what: string): void {
    this.tell(`BROKEN ${what}`);
    this.broken.push(what);
  }

  /** A trouble that has no rate and no count tests nothing. */
  struck(kind: string): void {
    this.troubles.set(kind, (this.troubles.get(kind) ?? 0) + 1);
  }
}
