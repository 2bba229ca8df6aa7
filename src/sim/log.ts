/** The log of a simulation run. */
import { createHash } from 'node:crypto';
import type { SimTime } from './time.ts';

/** Records what happens in a run, line by line, with broken rules and counts of injected faults. */
export class SimulationLog {
  readonly broken: string[] = [];
  readonly lines: string[] = [];
  readonly faultCounts = new Map<string, number>();
  readonly #time: SimTime;

  constructor(time: SimTime) {
    this.#time = time;
  }

  /**
   * Hash of the log. Equal for two runs in which the same things happened in the same order at the
   * same time.
   */
  get trace(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex');
  }

  record(text: string): void {
    this.lines.push(`${(this.#time.elapsed / 1_000).toFixed(3).padStart(12)}  ${text}`);
  }

  recordViolation(text: string): void {
    this.record(`BROKEN ${text}`);
    this.broken.push(text);
  }

  /** Counts an injected fault, because a fault that never occurs tests nothing. */
  countFault(kind: string): void {
    this.faultCounts.set(kind, (this.faultCounts.get(kind) ?? 0) + 1);
  }
}
