/** Whether a key of Linear may write, found out without writing: Linear lets nobody read what a key may do. */
import { randomUUID } from 'node:crypto';
import { LegionError } from '../core/model/fault.ts';
import type { LinearClient } from './client.ts';

/** `unknown`: Linear said something that tells neither. */
export type MayWrite =
  | { readonly verdict: 'yes' }
  | { readonly verdict: 'no' | 'unknown'; readonly says: string };

const CHANGE = 'mutation MayWrite($id: String!) { issueUpdate(id: $id, input: {}) { success } }';

/**
 * Asks to change an issue that nobody has, in nothing. Who may write is told that it is not there; who may not is refused before. That
 * Linear looks at the rights first is not documented. Rejects where Linear is away.
 */
export async function mayWrite(client: LinearClient, signal: AbortSignal): Promise<MayWrite> {
  try {
    await client.mutate(CHANGE, { id: randomUUID() }, { signal });
    return { verdict: 'unknown', says: 'Linear claims to have changed an issue that does not exist' };
  } catch (error) {
    if (!(error instanceof LegionError) || error.retryable) throw error;
    const { code, message } = error;
    if (code === 'linear.missing') return { verdict: 'yes' };
    // It was taken for reading a moment ago: now only the right to write can be meant.
    const isRefused = code === 'linear.forbidden' || code === 'linear.unauthorized';
    return { verdict: isRefused ? 'no' : 'unknown', says: message };
  }
}

/** Empty where nothing is missing, or Linear did not tell. Rejects where Linear is away. */
export async function findMissingPermissions(
  client: LinearClient,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = await mayWrite(client, signal);
  if (found.verdict !== 'no') return [];
  const says = found.says.replace(/\.$/, '');
  return [
    `Linear: the credential may read, but not write: ${says}. Make a key with the permission Write, or a token with the scope write.`,
  ];
}
