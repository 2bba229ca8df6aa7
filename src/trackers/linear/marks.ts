/** From when on changes are asked for, by times that Linear itself has given. */

/**
 * A change may be seen a little later than one that was made after it. A minute, because what is asked for twice does no harm.
 */
const OVERLAP_MS = 60_000;
/** After this nothing that is older can still come to light; twice the overlap, because the clocks of two machines differ. */
const SETTLED_AFTER_MS = 2 * OVERLAP_MS;

/** How far a reading goes; `mark` is the newest time that was certainly seen with everything before it. */
export interface Reached {
  readonly mark: number | undefined;
  /** When the reading began, by our clock. */
  readonly at: number;
}

/**
 * The comparison for Linear's filters; undefined asks for all. What has long settled is not asked for again: a thousand issues that
 * were imported within a minute would be read with every look.
 */
export function changedSince({ mark, at }: Reached): {
  readonly updatedAt?: Readonly<Record<string, string>>;
} {
  if (mark === undefined) return {};
  const isSettled = at - mark >= SETTLED_AFTER_MS;
  return { updatedAt: isSettled ? { gt: iso(mark) } : { gte: iso(mark - OVERLAP_MS) } };
}

export function newestOf(
  seen: readonly { readonly updatedAt: string }[],
  before?: number,
): number | undefined {
  return seen.reduce<number | undefined>((newest, { updatedAt }) => {
    const time = Date.parse(updatedAt);
    // One malformed time must not decide from when on changes are asked for.
    if (Number.isNaN(time)) return newest;
    return newest === undefined || time > newest ? time : newest;
  }, before);
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
