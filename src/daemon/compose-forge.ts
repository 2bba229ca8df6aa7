/** Opens the forge of a repository, as the configuration says. */

import type { Clock } from '../domain/clock.ts';
import type { Environment } from '../domain/environment.ts';
import { toError } from '../domain/fault.ts';
import type { IssueId } from '../domain/ids.ts';
import type { Forge } from '../forges/forge.ts';
import { openLocalForge } from '../forges/local/local-forge.ts';
import type { IssuePlace } from '../github/issue-place.ts';
import { isOneOf } from '../github/logins.ts';
import type { Github } from '../github/open.ts';
import { repositoryName } from './compose-clone.ts';
import type { ForgeParts } from './compose-repository.ts';
import type { Troubles } from './troubles.ts';

export interface ForgeSurroundings {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly troubles: Troubles;
}

/** Its CI is the repository's own command, run here. */
export function localForge(
  { ground, state, rules, runCi }: ForgeParts,
  { environment, clock, troubles }: ForgeSurroundings,
): Promise<Forge> {
  return openLocalForge({
    ...{ repository: ground.path, base: ground.base, state, clock, environment },
    identity: { name: 'Legion', email: 'legion@localhost' },
    ci: {
      isConfigured: () => {
        const { config, approved } = rules.current();
        return approved && config.commands.ci !== undefined;
      },
      async run(checkout, sha, signal) {
        const { verdict, why, tail } = await runCi(checkout, sha, signal);
        return { verdict, name: 'ci', logTail: `${why}\n${tail}` };
      },
    },
    onFault: (fault) => troubles.raise('forge', toError(fault)),
  });
}

export interface GithubForgeSide {
  readonly client: Github;
  readonly accounts: readonly string[];
  /** Where GitHub has its git. */
  readonly web: string;
  readonly issueOf: (issue: IssueId) => IssuePlace | undefined;
  readonly attached: (issue: IssueId) => readonly number[];
  /** Whether somebody who may not write to the repository is trusted all the same. */
  readonly isTrusted: (login: string) => boolean;
  readonly news: (listener: (branch: string) => void) => () => void;
}

export async function githubForge(
  { ground }: ForgeParts,
  { environment, clock, troubles }: ForgeSurroundings,
  { client, accounts, web, issueOf, attached, news, isTrusted }: GithubForgeSide,
): Promise<Forge> {
  const { openGithubForge } = await import('../forges/github/github-forge.ts');
  return openGithubForge({
    ...{ client, repo: repositoryName(ground.name), base: ground.base, clone: ground.path },
    ...{ issueOf, attached, news, clock, environment },
    remote: `${web}/${ground.name}.git`,
    access: (role) => client.credentials.gitAccess(role),
    identity: () => client.credentials.gitIdentity('impl'),
    isLegion: (login) => isOneOf(login, accounts),
    isTrusted,
    permissions: client.permissions,
    onFault: (fault) => troubles.raise(`forge of ${ground.name}`, toError(fault)),
  });
}
