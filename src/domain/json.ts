/** Free JSON from outside, such as a handoff, held to a depth that every reader's stack can take. */
import { z } from 'zod';

/** Far more than anyone writes; the schema library and JSON itself recurse, and give up at some thousand levels. */
const MAX_DEPTH = 100;

export const jsonSchema = z
  .unknown()
  .refine((value) => !isDeeperThan(MAX_DEPTH, value), `is nested deeper than ${MAX_DEPTH} levels`)
  .pipe(z.json());

/** Level by level, without recursion. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
