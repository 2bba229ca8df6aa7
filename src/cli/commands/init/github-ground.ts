/** What `legion init` begins with on GitHub: a folder, and the configuration that is to be written or is there already. */
import type { LegionConfig } from '../../../config/legion/schema.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { repositoryAround, repositoryName } from '../../../daemon/compose-clone.ts';
import type { CommandContext } from '../../command.ts';
import { type ProjectName, projectNameFrom } from '../../github/project-name.ts';
import { findPlace } from '../../legion-location.ts';
import { checkedRepositories, columnNames } from '../setup/init/board-options.ts';
import { configFrom } from './answers.ts';
import { anotherBoard, findGround, type Ground, type InitBoardOptions, plainName } from './board-ground.ts';

export interface GithubGround extends Ground {
  /** Its `legion` is a guess where `project` is undefined. */
  readonly config: LegionConfig;
  readonly project: ProjectName | undefined;
  /** What an operator calls the columns. */
  readonly statuses: ColumnNames;
  /** `owner/name`, at least one. */
  readonly repositories: readonly string[];
}

/** Rejects before anything is asked of GitHub where the options cannot be right. */
export async function findGithubGround(
  options: InitBoardOptions,
  context: CommandContext,
): Promise<GithubGround> {
  const project = projectIn(options);
  const { githubUrl, token } = options;
  const { url } = configFrom({ githubUrl, token }).github;
  const named = checkedRepositories(options.repo);
  const settled = await findGround(options, context);
  const { repository, kept } = settled;
  if (kept) return { ...settled, ...(await fromFile(repository.path, project, context)) };

  const statuses = columnNames(options.status);
  const repositories =
    named.length > 0 ? named : [(await repositoryAround(repository.path, url, context.env)).repo];
  const guess = project ?? { owner: repositoryName(repositories[0] ?? '').owner, number: 1 };
  const config = configFrom({ ...options, backend: 'github', legion: `${guess.owner}/${guess.number}` });
  const repos = repositories.map((repo) => ({ repo }));
  return { ...settled, project, repositories, statuses, config: { ...config, repos } };
}

function projectIn({ project, legion }: InitBoardOptions): ProjectName | undefined {
  if (project !== undefined && legion !== undefined)
    throw new LegionError('usage.invalid', 'on GitHub --project names the legion; leave --legion out');
  const text = project ?? legion;
  return text === undefined
    ? undefined
    : projectNameFrom(project === undefined ? '--legion' : '--project', text);
}

async function fromFile(folder: string, wanted: ProjectName | undefined, { env }: CommandContext) {
  const { resolved, file } = findPlace({ cwd: folder, env }, {});
  const { config } = resolved;
  const isOther =
    wanted !== undefined && `${wanted.owner}/${wanted.number}`.toLowerCase() !== config.legion.toLowerCase();
  if (config.backend !== 'github' || isOther) {
    throw anotherBoard(file.path, config);
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
