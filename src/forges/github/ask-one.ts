/** Asks about one pull request by its number, before something is written. */
import { LegionError } from '../../domain/fault.ts';
import type { Actor } from '../../github/actor.ts';
import type { Variables } from '../../github/client.ts';
import type { LabelAnswer } from '../../github/label-steps.ts';
import { isGithubNumber } from '../../github/number-range.ts';
import type { Desk } from './desk.ts';
import { PULL_REQUEST } from './write-documents.ts';

export interface OneAnswer {
  readonly id: string;
  readonly number: number;
  readonly state: 'OPEN' | 'MERGED' | 'CLOSED';
  readonly isDraft: boolean;
  readonly title: string;
  readonly body: string;
  readonly headRefName: string;
  readonly headRefOid: string;
  readonly author: Actor | null;
  readonly labels: { readonly nodes: readonly LabelAnswer[] } | null;
}

export async function askOne(desk: Desk, number: number): Promise<OneAnswer> {
  return (await askRepository<{ pullRequest: OneAnswer }>(desk, PULL_REQUEST, { number })).pullRequest;
}

/** The repository's part of the answer; a pull request that is asked for by `number` and is not there is a fault. */
export async function askRepository<T>(
  desk: Desk,
  document: string,
  variables: Variables,
  signal: AbortSignal = desk.closing,
): Promise<T> {
  const { owner, name } = desk.repo;
  const { number } = variables;
  if (number !== undefined && !isGithubNumber(Number(number))) throw missingPullRequest(number);
  const how = { signal, tolerates: ['NOT_FOUND'] };
  type Answer = { readonly repository: Record<string, unknown> | null };
  const { repository } = await desk.client.query<Answer>(document, { owner, name, ...variables }, how);
  if (repository === null) throw new LegionError('github.missing', `GitHub shows no ${owner}/${name}`);
  const { pullRequest } = repository;
  if (pullRequest === null) throw missingPullRequest(number);
  return repository as T;
}

function missingPullRequest(number: unknown): LegionError {
  return new LegionError('forge.pull_request_missing', `there is no pull request ${String(number)}`);
}
