/** What a service is asked for at each start and remembered for a start while it is away. */
import type { z } from 'zod';
import { LegionError } from '../core/model/fault.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';
import { readJsonFile } from '../lib/fs/read-bounded.ts';

/** Rejects where the service does not answer and nobody has asked before. */
export async function askedOrRemembered<T>(
  path: string,
  schema: z.ZodType<T>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    const answer = await ask();
    writeDurablySync(path, `${JSON.stringify(answer)}\n`);
    return answer;
  } catch (error) {
    // Workers of the last daemon are out there: to start without the service is better than not to start.
    const known =
      error instanceof LegionError && error.retryable ? schema.safeParse(readJsonFile(path)).data : undefined;
    if (known === undefined) throw error;
    return known;
  }
}
