/** Legion's own accounts on GitHub: asked for at the start, and remembered for a start while GitHub is away. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../domain/fault.ts';
import { writeDurablySync } from '../durable/write-sync.ts';
import type { GithubClient } from '../github/client.ts';

const FILE = 'github-accounts.json';
const remembered = z.object({ accounts: z.array(z.string().min(1).max(200)).min(1).max(10) });

/** Rejects where GitHub does not answer and nobody has asked before. */
export async function ownAccounts(
  client: Pick<GithubClient, 'login'>,
  state: string,
): Promise<readonly string[]> {
  const path = join(state, FILE);
  try {
    const logins = await Promise.all([client.login(), client.login('impl'), client.login('review')]);
    const accounts = [...new Set(logins)];
    writeDurablySync(path, `${JSON.stringify({ accounts })}\n`);
    return accounts;
  } catch (error) {
    // Workers of the last daemon are out there: to start without GitHub is better than not to start.
    const known = error instanceof LegionError && error.retryable ? read(path) : undefined;
    if (known === undefined) throw error;
    return known;
  }
}

function read(path: string): readonly string[] | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return remembered.parse(JSON.parse(readFileSync(path, 'utf8'))).accounts;
  } catch {
    return undefined;
  }
}
