/** Creates repositories, each backed by a real git repository. */
import { join } from 'node:path';
import { createBareRepository } from '../git/create-repository.ts';
import { readBranches } from '../git/read-refs.ts';
import type { NewRepository, RepoName } from '../simulator.ts';
import { createLabel } from './labels.ts';
import type { Repository } from './nodes.ts';
import type { GithubWorld } from './world.ts';

const INITIAL_FILES = { 'README.md': '# A repository\n' };

export async function createRepository(
  world: GithubWorld,
  folder: string,
  name: RepoName,
  { private: isPrivate = false, base = 'main', files = INITIAL_FILES, labels = [] }: NewRepository = {},
): Promise<Repository> {
  const [owner = '', short = ''] = name.split('/');
  const path = join(folder, owner, `${short}.git`);
  await createBareRepository(path, base, files);
  const identity = world.identity('R');
  const repository = world.add<Repository>({
    ...identity,
    type: 'Repository',
    owner: world.account(owner),
    name: short,
    private: isPrivate,
    base,
    folder: path,
    grants: new Map(),
    labels: [],
    protections: new Map(),
    threads: [],
    refs: readBranches(path),
    checks: [],
    workflows: [],
    pushedAt: identity.createdAt,
  });
  world.repositories.set(name.toLowerCase(), repository);
  for (const label of labels) createLabel(world, repository, label);
  return repository;
}

export function nameOf(repository: Repository): RepoName {
  return `${repository.owner.login}/${repository.name}`;
}
