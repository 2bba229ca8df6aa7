/** Reads one pull request by number before a write, and decodes lists entry by entry. */

import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { LegionError, toError } from '../../../core/model/fault.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';
import type { GithubVariables } from '../client/client.ts';
import type { PullRequestToChangeQuery } from '../generated/forge.ts';
import type { GithubForgeContext } from './context.ts';
import { PULL_REQUEST } from './documents.ts';

/** The repository part of a response in which the requested pull request exists. */
export type FoundRepository<Q extends { readonly repository: object | null }> = WithPullRequest<
  NonNullable<Q['repository']>
>;

type WithPullRequest<R> = R extends { readonly pullRequest: infer P }
  ? Omit<R, 'pullRequest'> & { readonly pullRequest: NonNullable<P> }
  : R;

export type PullRequestToChange = FoundRepository<PullRequestToChangeQuery>['pullRequest'];

export async function askOne(context: GithubForgeContext, number: number): Promise<PullRequestToChange> {
  return (await askRepository<PullRequestToChangeQuery>(context, PULL_REQUEST, { number })).pullRequest;
}

/** Throws if the pull request requested by `number` does not exist. */
export async function askRepository<Q extends { readonly repository: object | null }>(
  context: GithubForgeContext,
  document: string,
  variables: GithubVariables,
  signal: AbortSignal = context.closing,
): Promise<FoundRepository<Q>> {
  const { owner, name } = context.repo;
  const { number } = variables;
  if (number !== undefined && !isGithubNumber(Number(number))) throw createMissingPullRequestFault(number);
  const options = { signal, tolerates: ['NOT_FOUND'] };
  type Answer = { readonly repository: Record<string, unknown> | null };
  const { repository } = await context.client.query<Answer>(document, { owner, name, ...variables }, options);
  if (repository === null)
    throw new LegionError('github.missing', `The repository ${owner}/${name} is not visible on GitHub`);
  const { pullRequest } = repository;
  if (pullRequest === null) throw createMissingPullRequestFault(number);
  return repository as FoundRepository<Q>;
}

function createMissingPullRequestFault(number: unknown): LegionError {
  return new LegionError('forge.pull_request_missing', `Pull request ${String(number)} does not exist`);
}

/** Decodes the entries of a list one by one. Reports malformed entries and skips them. */
export function readEach<T>(
  { reportProblem }: Pick<GithubForgeContext, 'reportProblem'>,
  schema: z.ZodType<T>,
  nodes: readonly unknown[] | null,
  subject: string,
): readonly T[] {
  return (nodes ?? []).flatMap((node) => {
    if (node === null) return [];
    const read = decode(schema, node, subject);
    if (!read.ok) reportProblem(toError(read.fault));
    return read.ok ? [read.value] : [];
  });
}
