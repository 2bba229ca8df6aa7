/** Asks about one pull request by its number, before something is written. */
import { LegionError } from '../../core/model/fault.ts';
import type { Variables } from '../../github/client.ts';
import { isGithubNumber } from '../../github/number-range.ts';
import type { PullRequestToChangeQuery } from '../../integrations/github/generated/forge.ts';
import type { Desk } from './desk.ts';
import { PULL_REQUEST } from './write-documents.ts';

/** The repository's part of an answer, in which a pull request that was asked for is there. */
export type FoundRepository<Q extends { readonly repository: object | null }> = WithPullRequest<
  NonNullable<Q['repository']>
>;

type WithPullRequest<R> = R extends { readonly pullRequest: infer P }
  ? Omit<R, 'pullRequest'> & { readonly pullRequest: NonNullable<P> }
  : R;

export type PullRequestToChange = FoundRepository<PullRequestToChangeQuery>['pullRequest'];

export async function askOne(desk: Desk, number: number): Promise<PullRequestToChange> {
  return (await askRepository<PullRequestToChangeQuery>(desk, PULL_REQUEST, { number })).pullRequest;
}

/** A pull request that is asked for by `number` and is not there is a fault. */
export async function askRepository<Q extends { readonly repository: object | null }>(
  desk: Desk,
  document: string,
  variables: Variables,
  signal: AbortSignal = desk.closing,
): Promise<FoundRepository<Q>> {
  const { owner, name } = desk.repo;
  const { number } = variables;
  if (number !== undefined && !isGithubNumber(Number(number))) throw missingPullRequest(number);
  const how = { signal, tolerates: ['NOT_FOUND'] };
  type Answer = { readonly repository: Record<string, unknown> | null };
  const { repository } = await desk.client.query<Answer>(document, { owner, name, ...variables }, how);
  if (repository === null) throw new LegionError('github.missing', `GitHub shows no ${owner}/${name}`);
  const { pullRequest } = repository;
  if (pullRequest === null) throw missingPullRequest(number);
  return repository as FoundRepository<Q>;
}

function missingPullRequest(number: unknown): LegionError {
  return new LegionError('forge.pull_request_missing', `there is no pull request ${String(number)}`);
}
