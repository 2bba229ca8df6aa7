/** GitHub: who Legion is there, what it may do, whether the board is set up, webhooks, and what is left of the budget. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryAround, repositoryName } from '../../../daemon/compose-clone.ts';
import { openGithubOf } from '../../../daemon/compose-github.ts';
import type { Github } from '../../../github/open.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../place.ts';
import { bad, type Finding, fromError, ok } from './finding.ts';
import { access, identities } from './github-access.ts';
import { board, labels } from './github-board.ts';
import { budgetLeft, webhooks } from './service.ts';

const MORE_POINTS = 'Fewer legions on one account, or an App, have more.';

export async function examineGithub(place: Place, context: CommandContext): Promise<readonly Finding[]> {
  const { config } = place.resolved;
  let client: Github;
  try {
    client = await openGithubOf(config, context.env, systemClock);
  } catch (error) {
    return [fromError('GitHub', error)];
  }
  try {
    const notes = await client.credentials.describeIdentity();
    const [legion] = notes;
    // Without an account, or without GitHub, all the rest would say the same once more.
    if (legion !== undefined && typeof legion.login !== 'string') {
      const { message, next, code } = legion.login;
      const by = code === 'github.unauthorized' && legion.uses !== 'nothing' ? `${legion.uses}: ` : '';
      return [
        bad('GitHub', `${by}${message} [${code}]`, next),
        webhooks('github', config.credentials.webhooks.github, context),
      ];
    }
    const repos = await repositoriesOf(place, context);
    return [
      ...identities(notes),
      ...(await access(client, notes, repos, place, context)),
      ...(await board(client, place, context)),
      ...(await labels(client, repos, place, context)),
      ...repos.map((repo) => clone(repo, place)),
      webhooks('github', config.credentials.webhooks.github, context),
      ...budgetLeft('GitHub points', client.budget(), MORE_POINTS),
    ];
  } catch (error) {
    return [fromError('GitHub', error)];
  } finally {
    await client.close();
  }
}

async function repositoriesOf(
  { resolved, file }: Place,
  { env }: CommandContext,
): Promise<readonly string[]> {
  const { repos, github } = resolved.config;
  const named = repos.map(({ repo }) => repo);
  return named.length > 0 ? named : [(await repositoryAround(dirname(file.path), github.url, env)).repo];
}

function clone(repo: string, { resolved, paths }: Place): Finding {
  const { owner, name } = repositoryName(repo);
  const { repos, github } = resolved.config;
  const own = repos.find((entry) => entry.repo === repo)?.path;
  if (own !== undefined) return ok(`code of ${repo}`, `from the checkout ${own}`);
  const path = paths.clone(new URL(github.url).host, owner, name);
  const isThere = existsSync(join(path, 'HEAD'));
  return ok(`code of ${repo}`, isThere ? `cloned to ${path}` : 'is cloned at the first start');
}
