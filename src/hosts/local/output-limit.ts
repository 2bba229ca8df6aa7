/** How much of a worker's output is kept: the beginning up to a limit, and a mark that there was more. */
import { open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputStream } from '../host.ts';
import { exists } from './attempt-folder.ts';

/** A busy night of an agent is some tens of megabytes a stream; with more, it repeats itself and would fill the disk. */
export const OUTPUT_LIMIT_BYTES = 512 * 1024 * 1024;

const STREAMS: readonly OutputStream[] = ['out', 'err'];

/**
 * Cuts off what lies beyond the limit. The worker appends, so it goes on writing at the new end and notices nothing; every
 * offset below the limit stays what it was. Whoever watches does this again and again; while nobody does, files grow.
 */
export async function keepToLimit(
  folder: string,
  limitBytes: number,
): Promise<{ bytes: number; overflowed: boolean }> {
  const mark = join(folder, 'overflowed');
  let bytes = 0;
  for (const stream of STREAMS) {
    const path = join(folder, stream);
    const { size } = await stat(path);
    bytes += Math.min(size, limitBytes);
    if (size <= limitBytes) continue;
    // First the mark: after a crash in between, too much is kept rather than a loss kept silent.
    await (await open(mark, 'a', 0o600)).close();
    await truncate(path, limitBytes);
  }
  return { bytes, overflowed: await exists(mark) };
}
