/** One issue of the demo: what a person writes, what its agents do, and what the person says when it is asked. */
import type { Purpose } from '../core/model/command.ts';
import type { Phase } from '../domain/mode.ts';

export interface Story {
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  /** What there is to see in it. */
  readonly shows: string;
  readonly rules: (issue: string) => readonly Rule[];
  /** The person's comment once it lies in the Icebox. */
  readonly clarification?: string;
  /** The person's answer to its worker's question. */
  readonly answer?: string;
}

/** A rule of the scripted agent's scenario, as its file has it; the first that fits is played. */
export interface Rule {
  readonly issue: string;
  readonly phase: Phase;
  readonly purpose?: Purpose;
  readonly attempt?: number | `>${number}`;
  readonly steps: readonly Step[];
}

/** One key, the name of the step. */
export type Step = Readonly<Record<string, unknown>>;
