/** Who a worker is on GitHub: the name it commits under, and, where its agent is to use `gh` itself, the token of its role. */
import type { LegionConfig } from '../config/legion/schema.ts';
import { roleOf } from '../domain/mode.ts';
import type { Github } from '../github/open.ts';
import type { Repositories } from './repository.ts';
import type { WhoWorks } from './world.ts';

export interface RoleSurroundings {
  readonly github: { readonly client: Github } | undefined;
  readonly config: LegionConfig;
  readonly repositories: Repositories;
}

/** A new token for each attempt, of its own role and for its own repository; a role without an identity has none to give. */
export async function roleEnvironment(
  { mode, issue }: WhoWorks,
  { github, config, repositories }: RoleSurroundings,
): Promise<Readonly<Record<string, string>>> {
  if (github === undefined) return {};
  const { credentials } = github.client;
  const role = roleOf(mode);
  const { name, email } = await credentials.gitIdentity(role);
  const identity = {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
  };
  const repository = issue === undefined ? undefined : repositories.find(issue);
  if (config.credentials.github.workers === 'none' || repository === undefined) return identity;
  const given = await credentials.workerToken(role, [repository.name]);
  return given === undefined ? identity : { ...identity, GH_TOKEN: given.token };
}
