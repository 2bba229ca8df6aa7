/** What a service is asked for at each start and remembered for a start while it is away. */
import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { LegionError } from '../domain/fault.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';

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
    const known = error instanceof LegionError && error.retryable ? read(path, schema) : undefined;
    if (known === undefined) throw error;
    return known;
  }
}

function read<T>(path: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
