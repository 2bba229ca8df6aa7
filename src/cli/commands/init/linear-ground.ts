/** What `legion init` begins with in Linear: a folder, and the configuration that is to be written or is there already. */
import { NIL } from 'uuid';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { repositoryAround } from '../../../daemon/compose-clone.ts';
import type { CommandContext } from '../../command.ts';
import { findPlace } from '../../legion-location.ts';
import { checkedRepositories, columnNames } from '../setup/init/board-options.ts';
import { repositoryName } from '../setup/init/write.ts';
import { configFrom } from './answers.ts';
import { anotherBoard, findGround, type Ground, type InitBoardOptions, plainName } from './board-ground.ts';
import { findRepository } from './repository.ts';

const KEY_VARIABLE = 'LINEAR_API_KEY';

export interface LinearGround extends Ground {
  /** Its `legion` stands for nobody until the team is found, unless the file is kept. */
  readonly config: LegionConfig;
  /** As it was named: by key, name or UUID. */
  readonly team: string | undefined;
  /** What an operator calls the states. */
  readonly statuses: ColumnNames;
  /** On GitHub, `owner/name`; none where the code is on this machine. */
  readonly repositories: readonly string[];
}

/** Rejects before anything is asked of Linear where the options cannot be right. */
export async function findLinearGround(
  options: InitBoardOptions,
  context: CommandContext,
  askForge: () => Promise<string>,
): Promise<LinearGround> {
  const team = teamIn(options);
  configFrom({ ...texts(options), legion: NIL, backend: 'linear' });
  checkedRepositories(options.repo);
  const settled = await findGround(options, context);
  const { repository, kept } = settled;
  if (kept) return { ...settled, team, ...(await fromFile(repository.path, context)) };

  const forge = options.forge ?? (saysGithub(options) ? 'github' : await askForge());
  if (forge === 'local' && saysGithub(options))
    throw new LegionError('usage.invalid', '--repo, --token and --github-url are for --forge github');
  const statuses = columnNames(options.status);
  const given = { ...texts(options), ...ambientKey(options, context), forge, legion: NIL, backend: 'linear' };
  const config = configFrom(given);
  const repositories = forge === 'local' ? [] : await named(options, repository.path, config, context);
  // Checks the base, which on this machine is a branch of this very repository.
  if (forge === 'local') await findRepository(context, options.base);
  const repos =
    forge === 'local' && options.base !== undefined
      ? [{ repo: `local/${repositoryName(settled.file)}` }]
      : repositories.map((repo) => ({ repo }));
  return { ...settled, team, statuses, repositories, config: { ...config, repos } };
}

function teamIn({ team, legion }: InitBoardOptions): string | undefined {
  if (team !== undefined && legion !== undefined)
    throw new LegionError('usage.invalid', 'in Linear --team names the legion; leave --legion out');
  const text = team ?? legion;
  if (text?.trim() === '') throw new LegionError('usage.invalid', '--team takes a key, a name or a UUID');
  return text?.trim();
}

/** The name is the team's, which is not known yet. */
function texts({ legion: _, ...options }: InitBoardOptions): Omit<InitBoardOptions, 'legion'> {
  return options;
}

function saysGithub(options: InitBoardOptions): boolean {
  const { token, githubUrl: url, repo } = options;
  return repo.length > 0 || token !== undefined || url !== undefined;
}

/** What was used is written down, so that every shell uses the same. */
function ambientKey(options: InitBoardOptions, { env }: CommandContext): { apiKey?: string } {
  const isNamed = options.apiKey !== undefined || options.accessToken !== undefined;
  const isThere = (env[KEY_VARIABLE]?.trim() ?? '') !== '';
  return isThere && !isNamed ? { apiKey: `env:${KEY_VARIABLE}` } : {};
}

async function named(
  { repo }: InitBoardOptions,
  folder: string,
  { github }: LegionConfig,
  { env }: CommandContext,
): Promise<readonly string[]> {
  return repo.length > 0 ? repo : [(await repositoryAround(folder, github.url, env)).repo];
}

async function fromFile(folder: string, { env }: CommandContext) {
  const { resolved, file } = findPlace({ cwd: folder, env }, {});
  const { config } = resolved;
  if (config.backend !== 'linear') throw anotherBoard(file.path, config);
  const { repos, forge, github } = config;
  const onGithub =
    repos.length > 0
      ? repos.map(({ repo }) => plainName(repo))
      : forge === 'github'
        ? [(await repositoryAround(folder, github.url, env)).repo]
        : [];
  return {
    ...{ config, statuses: config.statuses as ColumnNames },
    repositories: forge === 'github' ? onGithub : [],
  };
}
