/** Remembers what Legion's accounts may not do, and asks again from time to time: often while something is missing. */

import { LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';

/** A permission is rarely taken away, and each look costs some requests of a counted budget. */
const FINE_FOR_MS = 15 * 60_000;
/** Somebody is perhaps granting it at this moment, and work waits. */
const ASK_AGAIN_MS = 30_000;

/** A service that answers later than this is away: the first worker waits for this look. */
const DEADLINE_MS = 20_000;

/** Resolves to what each service says is missing, with what to do about it. */
export type AskPermissions = (signal: AbortSignal) => Promise<readonly string[]>;

/** A service that is away takes nothing back and adds nothing: what was known before stays. */
export function watchPermissions(clock: Clock, asks: readonly AskPermissions[]): AskPermissions {
  let missing: readonly string[] = [];
  let dueAt = 0;
  return async (signal) => {
    if (asks.length === 0 || clock.now() < dueAt) return missing;
    const deadline = AbortSignal.timeout(DEADLINE_MS);
    const either = AbortSignal.any([signal, deadline]);
    try {
      missing = (await Promise.all(asks.map((ask) => ask(either)))).flat();
      dueAt = clock.now() + (missing.length === 0 ? FINE_FOR_MS : ASK_AGAIN_MS);
    } catch (error) {
      if (!(error instanceof LegionError) && !deadline.aborted) throw error;
      dueAt = clock.now() + ASK_AGAIN_MS;
    }
    return missing;
  };
}
