/** Legion's own accounts on GitHub: asked for at the start, and remembered for a start while GitHub is away. */
import { join } from 'node:path';
import { z } from 'zod';
import type { GithubClient } from '../github/client.ts';
import { askedOrRemembered } from './compose-remembered.ts';

const FILE = 'github-accounts.json';
const remembered = z.object({ accounts: z.array(z.string().min(1).max(200)).min(1).max(10) });

/** Rejects where GitHub does not answer and nobody has asked before. */
export async function ownAccounts(
  client: Pick<GithubClient, 'login'>,
  state: string,
): Promise<readonly string[]> {
  const { accounts } = await askedOrRemembered(join(state, FILE), remembered, async () => {
    const logins = await Promise.all([client.login(), client.login('impl'), client.login('review')]);
    return { accounts: [...new Set(logins)] };
  });
  return accounts;
}
