/** What the demo has come to: each issue with what really happened to it. */
import type { Phase } from '../domain/mode.ts';
import type { Chronicle, Life } from './history.ts';
import type { Sight } from './look.ts';
import type { MainTests } from './main-tests.ts';

export interface Summary extends Outcome {
  /** What to look at now. */
  readonly look: readonly Sight[];
}

export interface Outcome {
  /** Every issue is Done and the tests pass on main. */
  readonly ok: boolean;
  readonly durationMs: number;
  readonly folder: string;
  /** What the daemon wrote. */
  readonly log: string;
  /** Whether the daemon still runs. */
  readonly kept: boolean;
  readonly issues: readonly IssueSummary[];
  /** What the person did, in order. */
  readonly person: readonly { readonly issue: string; readonly did: string }[];
  /** Undefined where it did not come to that. */
  readonly tests?: MainTests | undefined;
}

export interface IssueSummary {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  /** Each phase once, in the order of its first worker. */
  readonly phases: readonly Phase[];
  /** Lives of all its workers together. */
  readonly attempts: number;
  readonly durationMs: number | null;
  readonly mergedSha: string | null;
  /** Who let the merge through. */
  readonly merge: 'gate' | 'person' | null;
  readonly lives: readonly Pick<Life, 'phase' | 'attempt' | 'purpose' | 'end'>[];
}

/** As the board has it at the end. */
export interface BoardIssue {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly createdAt: number;
}

export function issueSummary(
  { id, title, status, createdAt }: BoardIssue,
  chronicle: Chronicle,
): IssueSummary {
  const { lives, merged, doneAt } = chronicle.of(id);
  return {
    id,
    title,
    status,
    phases: [...new Set(lives.map(({ phase }) => phase))],
    attempts: lives.length,
    durationMs: doneAt === undefined ? null : doneAt - createdAt,
    mergedSha: merged?.sha ?? null,
    merge: merged === undefined ? null : merged.auto ? 'gate' : 'person',
    lives: lives.map(({ phase, attempt, purpose, end }) => ({
      ...{ phase, attempt, purpose },
      ...(end === undefined ? {} : { end }),
    })),
  };
}
