/**
 * Keeps active problems that do not stop the daemon. `legion status` shows each problem until it is
 * resolved.
 */
import type { Clock } from '../../core/model/clock.ts';
import { createFault, type Fault, LegionError } from '../../core/model/fault.ts';

export interface ActiveProblem extends Fault {
  readonly since: number;
}

export class ActiveProblems {
  readonly #clock: Clock;
  readonly #onReport: (problem: ActiveProblem, cause: unknown) => void;
  readonly #present = new Map<string, ActiveProblem>();

  /** Calls `tell` once per problem, when it begins or changes. */
  constructor(clock: Clock, tell: (problem: ActiveProblem, cause: unknown) => void) {
    this.#clock = clock;
    this.#onReport = tell;
  }

  /**
   * `about` identifies the affected part, such as `board`. A later problem with the same `about`
   * replaces the earlier one.
   */
  report(about: string, cause: unknown): void {
    const { code, message, next } = toFault(cause);
    const before = this.#present.get(about);
    if (before?.code === code && before.message === message) return;
    const problem = { code, message, next, since: before?.since ?? this.#clock.now() };
    this.#present.set(about, problem);
    this.#onReport(problem, cause);
  }

  resolve(about: string): void {
    this.#present.delete(about);
  }

  list(): readonly ActiveProblem[] {
    return [...this.#present.values()];
  }
}

/** An error without a code is reported as a defect. */
export function toFault(cause: unknown): Fault {
  if (cause instanceof LegionError) return cause.fault;
  return createFault('daemon.defect', cause instanceof Error ? cause.message : String(cause));
}
