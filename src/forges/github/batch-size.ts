/** How many pull requests are asked for at once: fewer after a failure, because GitHub ends what takes it longer than ten seconds. */

export type Kind = 'Full' | 'Light';

/** What the budget of requests is made for; a pull request in full is much. */
const MOST: Readonly<Record<Kind, number>> = { Full: 100, Light: 250 };
/** So few are no burden for GitHub: if these fail, it is not their number. */
const FEWEST = 5;

export interface BatchSize {
  of(kind: Kind): number;
  /** Doubles what was halved. */
  worked(kind: Kind): void;
  /** For the next look, not for this one: while GitHub is away, more requests would only be more of the same. */
  failed(kind: Kind, asked: number): void;
}

export function batchSize(): BatchSize {
  const sizes = { ...MOST };
  return {
    of: (kind) => sizes[kind],
    worked(kind) {
      sizes[kind] = Math.min(MOST[kind], sizes[kind] * 2);
    },
    failed(kind, asked) {
      sizes[kind] = Math.max(FEWEST, Math.ceil(Math.min(asked, sizes[kind]) / 2));
    },
  };
}
