/** What is wrong at present and does not stop the daemon: shown by `legion status`, gone when it is over. */

import { type Fault, fault, LegionError } from '../core/model/fault.ts';
import type { Clock } from '../domain/clock.ts';

export interface Trouble extends Fault {
  readonly since: number;
}

export class Troubles {
  readonly #clock: Clock;
  readonly #tell: (trouble: Trouble, cause: unknown) => void;
  readonly #present = new Map<string, Trouble>();

  /** `tell` hears of each once, when it begins or changes. */
  constructor(clock: Clock, tell: (trouble: Trouble, cause: unknown) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** `about` names what is in trouble, such as `board`; a later word about the same replaces the earlier. */
  raise(about: string, cause: unknown): void {
    const { code, message, next } = faultOf(cause);
    const before = this.#present.get(about);
    if (before?.code === code && before.message === message) return;
    const trouble = { code, message, next, since: before?.since ?? this.#clock.now() };
    this.#present.set(about, trouble);
    this.#tell(trouble, cause);
  }

  clear(about: string): void {
    this.#present.delete(about);
  }

  list(): readonly Trouble[] {
    return [...this.#present.values()];
  }
}

/** What has no code is a defect, and is shown as one. */
export function faultOf(cause: unknown): Fault {
  if (cause instanceof LegionError) return cause.fault;
  return fault('daemon.defect', cause instanceof Error ? cause.message : String(cause));
}
