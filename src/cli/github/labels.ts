/** Legion's labels in a repository: which are missing, and making those. */
import { LABELS, PULL_REQUEST_LABELS } from '../../domain/label.ts';
import type { GithubClient } from '../../github/client.ts';
import { labelsNamed, openRepositoryLabels } from '../../github/repository-labels.ts';

export interface RepositoryLabels {
  /** `owner/name`. */
  readonly repo: string;
  readonly missing: readonly string[];
}

const ALL: readonly string[] = [...LABELS, ...PULL_REQUEST_LABELS];

interface Answer {
  readonly repository: Readonly<Record<string, { readonly id: string } | string | null>>;
}

export async function missingLabels(
  client: GithubClient,
  repo: string,
  signal: AbortSignal,
): Promise<RepositoryLabels> {
  const variables = Object.fromEntries(ALL.map((label, index) => [`label${index}`, label]));
  const [owner, name] = repo.split('/');
  const asked = { owner, name, ...variables };
  const { repository } = await client.query<Answer>(labelsNamed(ALL.length), asked, { signal });
  return { repo, missing: ALL.filter((_, index) => repository[`l${index}`] === null) };
}

/** As tracker and forge make them when they first need them; one that somebody has made meanwhile is taken as it is. */
export async function makeLabels(client: GithubClient, { repo, missing }: RepositoryLabels): Promise<void> {
  const [login = '', name = ''] = repo.split('/');
  await openRepositoryLabels(client).idsOf({ owner: { login }, name }, missing);
}
