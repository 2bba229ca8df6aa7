/** What `legion init` begins with on GitHub: a folder, and the configuration that is to be written or is there already. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { legionPaths } from '../../../config/paths.ts';
import { repositoryAround, repositoryName } from '../../../daemon/compose-clone.ts';
import { LegionError } from '../../../domain/fault.ts';
import type { ColumnNames } from '../../../domain/status.ts';
import type { CommandContext } from '../../command.ts';
import { type ProjectName, projectNameFrom } from '../../github/project-name.ts';
import { findPlace, LEGION_FILE, sure } from '../../place.ts';
import { configFrom, type InitOptions } from './answers.ts';
import { checkedRepositories, columnNames, type GithubOptions } from './github-options.ts';
import { type FoundRepository, findRepository } from './repository.ts';

export type InitGithubOptions = InitOptions &
  GithubOptions & { readonly force: boolean; readonly json: boolean; readonly yes: boolean };

export interface GithubGround {
  readonly repository: Pick<FoundRepository, 'path' | 'name' | 'commands'>;
  readonly file: string;
  /** The file is there and is left as it is. */
  readonly kept: boolean;
  /** Its `legion` is a guess where `project` is undefined. */
  readonly config: LegionConfig;
  readonly project: ProjectName | undefined;
  /** What an operator calls the columns. */
  readonly statuses: ColumnNames;
  /** `owner/name`, at least one. */
  readonly repositories: readonly string[];
  /** The state folder of a legion. */
  readonly state: (legion: string) => string;
}

/** Rejects before anything is asked of GitHub where the options cannot be right. */
export async function findGithubGround(
  options: InitGithubOptions,
  context: CommandContext,
): Promise<GithubGround> {
  const project = projectIn(options);
  const { 'github-url': address, token } = options;
  const { url } = configFrom({ 'github-url': address, token }).github;
  const named = checkedRepositories(options.repo);
  const repository = await folderOf(options, context);
  const file = join(repository.path, LEGION_FILE);
  const kept = existsSync(file) && !options.force;
  // Only what is made on GitHub is left to do for a legion that has begun.
  if (kept && !options['create-missing']) throw new LegionError('init.exists', `${file} is there already`);
  const { state } = sure(legionPaths(context.env));
  const settled = { repository, file, kept, state };
  if (kept) return { ...settled, ...(await fromFile(repository.path, project, context)) };

  const statuses = columnNames(options.status);
  const repositories =
    named.length > 0 ? named : [(await repositoryAround(repository.path, url, context.env)).repo];
  const guess = project ?? { owner: repositoryName(repositories[0] ?? '').owner, number: 1 };
  const config = configFrom({ ...options, backend: 'github', legion: `${guess.owner}/${guess.number}` });
  const repos = repositories.map((repo) => ({ repo }));
  return { ...settled, project, repositories, statuses, config: { ...config, repos } };
}

function projectIn({ project, legion }: InitGithubOptions): ProjectName | undefined {
  if (project !== undefined && legion !== undefined)
    throw new LegionError('usage.invalid', 'on GitHub --project names the legion; leave --legion out');
  const text = project ?? legion;
  return text === undefined
    ? undefined
    : projectNameFrom(project === undefined ? '--legion' : '--project', text);
}

/** A clone of our own is made of each repository, so this folder need not be one where they are named. */
async function folderOf(
  options: InitGithubOptions,
  context: CommandContext,
): Promise<GithubGround['repository']> {
  try {
    return await findRepository(context, undefined);
  } catch (error) {
    const isNone = error instanceof LegionError && error.code === 'repository.missing';
    if (!isNone || options.repo.length === 0) throw error;
    return { path: context.cwd, name: basename(context.cwd), commands: {} };
  }
}

async function fromFile(folder: string, wanted: ProjectName | undefined, { env }: CommandContext) {
  const { resolved, file } = findPlace({ cwd: folder, env }, {});
  const { config } = resolved;
  const isOther =
    wanted !== undefined && `${wanted.owner}/${wanted.number}`.toLowerCase() !== config.legion.toLowerCase();
  if (config.backend !== 'github' || isOther) {
    const is = config.backend === 'github' ? `is about ${config.legion}` : 'has its board on this machine';
    throw new LegionError('init.exists', `${file.path} is there already and ${is}`);
  }
  const repositories =
    config.repos.length > 0
      ? config.repos.map(({ repo }) => plainName(repo))
      : [(await repositoryAround(folder, config.github.url, env)).repo];
  return {
    ...{ config, repositories, statuses: config.statuses as ColumnNames },
    project: projectNameFrom('legion', config.legion),
  };
}

/** Without the host, which the configuration may name. */
function plainName(repo: string): string {
  const { owner, name } = repositoryName(repo);
  return `${owner}/${name}`;
}
