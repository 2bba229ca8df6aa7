/** Finds the pull request that an operator names by its number. */
import { LegionError, shown } from '../../../core/model/fault.ts';
import type { NumberedPullRequest } from '../../../ports/forge.ts';
import type { MergeRequest } from '../../../protocol/merging.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';
import { reading } from '../read-outside.ts';

/** Numbers are counted by repository, so several may have the same; then the operator names one. */
export async function findRepositoryOf(
  { repositories }: World,
  { number, repo }: Pick<MergeRequest, 'number' | 'repo'>,
): Promise<Repository> {
  const named = repositories.all.filter(({ name }) => repo === undefined || name === repo);
  if (named.length === 0) {
    const valid = repositories.all.map(({ name }) => name).join(', ');
    throw new LegionError('input.invalid', `Unknown repository ${shown(repo ?? '')}. Valid: ${valid}.`);
  }
  const mergedHere = named.filter(({ forge }) => forge.findPullRequest !== undefined);
  if (mergedHere.length === 0) throw mergedElsewhere(named, number);
  const holding: Repository[] = [];
  for (const repository of mergedHere) {
    if ((await find(repository, number)) !== undefined) holding.push(repository);
  }
  const [only, ...others] = holding;
  if (only === undefined) throw missing(mergedHere, number);
  if (others.length === 0) return only;
  const names = holding.map(({ name }) => name).join(', ');
  throw new LegionError('pr.ambiguous', `Several repositories have a pull request ${number}: ${names}.`);
}

export async function requirePullRequest(
  repository: Repository,
  number: number,
): Promise<NumberedPullRequest> {
  const found = await find(repository, number);
  if (found === undefined) throw missing([repository], number);
  return found;
}

async function find({ forge }: Repository, number: number): Promise<NumberedPullRequest | undefined> {
  return reading(async (signal) => forge.findPullRequest?.(number, signal));
}

function missing(repositories: readonly Repository[], number: number): LegionError {
  const where = repositories.map(({ name }) => name).join(', ');
  return new LegionError('forge.pull_request_missing', `There is no pull request ${number} in ${where}.`);
}

function mergedElsewhere(repositories: readonly Repository[], number: number): LegionError {
  const pages = repositories.map(({ name, addressOf }) => addressOf?.(number) ?? name);
  return new LegionError(
    'pr.elsewhere',
    `Legion merges by hand only on the local forge: ${pages.join(', ')}`,
  );
}
