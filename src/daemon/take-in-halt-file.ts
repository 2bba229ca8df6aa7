/** Takes in a halt that was ordered while no daemon could be reached. */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HaltOrder } from '../core/state/halt.ts';
import { decode } from '../domain/decode.ts';
import { parseJson } from '../lib/json.ts';
import { HALT_FILE, haltFileSchema } from '../protocol/halt-file.ts';

/** Resolves to whether there was one. The file goes only after `halt` has put the order into the journal. */
export async function takeInHaltFile(
  state: string,
  halt: (order: HaltOrder) => Promise<unknown>,
): Promise<boolean> {
  const path = join(state, HALT_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return false;
  await halt(orderIn(text));
  await rm(path, { force: true });
  return true;
}

/** A damaged file halts as well: somebody wanted everything to stop. */
function orderIn(text: string): HaltOrder {
  const decoded = decode(haltFileSchema, parseJson(text), HALT_FILE);
  return decoded.ok ? decoded.value : { by: 'an operator', why: `${HALT_FILE} could not be read` };
}
