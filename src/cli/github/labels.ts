/** Legion's labels in a repository: which are missing, and making those. */
import { LABELS, PULL_REQUEST_LABELS } from '../../domain/label.ts';
import type { GithubClient } from '../../github/client.ts';
import { openRepositoryLabels, readLabelIds } from '../../github/repository-labels.ts';

export interface RepositoryLabels {
  /** `owner/name`. */
  readonly repo: string;
  readonly missing: readonly string[];
}

/** `pull requests`: where the issues are elsewhere. */
const WANTED = {
  everything: [...LABELS, ...PULL_REQUEST_LABELS],
  'pull requests': PULL_REQUEST_LABELS,
} as const;

export async function missingLabels(
  client: GithubClient,
  repo: string,
  signal: AbortSignal,
  purpose: keyof typeof WANTED = 'everything',
): Promise<RepositoryLabels> {
  const wanted = WANTED[purpose];
  const [owner = '', name = ''] = repo.split('/');
  const { ids } = await readLabelIds(client, { owner, name }, wanted, signal);
  return { repo, missing: wanted.filter((label) => !ids.has(label)) };
}

/** As tracker and forge make them when they first need them; one that somebody has made meanwhile is taken as it is. */
export async function makeLabels(client: GithubClient, { repo, missing }: RepositoryLabels): Promise<void> {
  const [login = '', name = ''] = repo.split('/');
  await openRepositoryLabels(client).idsOf({ owner: { login }, name }, missing);
}
