/**
 * `legion init` for a GitHub board: inspects the board, offers to create what is missing, and
 * writes `legion.yaml`.
 */
import { LEGION_DEFAULTS, type LegionConfig, parseRepositoryName } from '../../../../config/legion/schema.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import type { ColumnNames, Status } from '../../../../core/model/status.ts';
import { requireEnclosingRepository } from '../../../../daemon/composition/clone.ts';
import { openGithubClient } from '../../../../daemon/composition/open-github.ts';
import type { GithubConnection } from '../../../../integrations/github/client/open.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import { isInteractive } from '../../../ask-person.ts';
import {
  type ColumnMapping,
  compareColumns,
  refuseTakenColumns,
  refuseUnknownColumns,
} from '../../../columns.ts';
import { findMissingLabels, type ProjectName, readBoard, requireProjectName } from '../../../github/board.ts';
import { recordLegion } from '../../../known-legions.ts';
import { findLegionLocation } from '../../../legion-location.ts';
import { withProgress } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { buildConfigFromOptions } from './answers.ts';
import {
  askColumns,
  askMakeLabels,
  type CreatedBoardParts,
  renderBoardComparison,
  renderBoardInitSummary,
} from './board-ask.ts';
import {
  type BoardInitContext,
  buildBoardFiles,
  createOtherBoardError,
  type InitBoardOptions,
  listNextSteps,
  resolveBoardInitContext,
  stripHost,
} from './board-files.ts';
import { parseColumnNames, validateRepositoryNames } from './board-options.ts';
import { findBoardFitness, renderFitness } from './fitness.ts';
import {
  askMakeColumns,
  askProject,
  countPlacedItems,
  createAllLabels,
  createColumns,
  describeGithubBoard,
  type GithubBoardComparison,
  type GithubSetupContext,
  recoverColumns,
  refuseWithoutAccess,
  refuseWithoutProject,
} from './github-ask.ts';
import { type BoardPart, writeConfigFile } from './write.ts';

export async function initGithub(options: InitBoardOptions, context: CommandContext): Promise<undefined> {
  const initContext = await resolveGithubInitContext(options, context);
  const client = await openGithubClient(initContext.config, context.env, systemClock);
  try {
    await setupGithub(client, initContext, options, context);
    return undefined;
  } finally {
    await client.close();
  }
}

async function setupGithub(
  client: GithubConnection,
  initContext: GithubInitContext,
  options: InitBoardOptions,
  context: CommandContext,
): Promise<void> {
  const asks = !options.yes && !options.json && isInteractive(context);
  const project = await chooseProject(client, initContext, asks, context);
  await withProgress(context, 'checking the account’s permissions', () =>
    refuseWithoutAccess(client, initContext.repositories, project, context.signal),
  );
  const first = await readBoard(client, project, context.signal);
  const state = initContext.state(initContext.kept ? initContext.config.legion : first.name);
  const setupContext: GithubSetupContext = { client, project, state, context };
  const resumed = await recoverColumns(setupContext);
  const compared = await compareBoard(setupContext, initContext, asks);
  // Runs before anything is created, so that an invalid answer leaves nothing behind.
  const files = await buildBoardFiles(
    {
      options,
      initContext,
      legion: compared.board.name,
      part: buildGithubBoardPart(initContext, compared),
      asks,
    },
    context,
  );
  const description = describeGithubBoard(compared);
  if (!options.json) context.stdout.write(renderBoardComparison(description));
  const newParts = await createMissingOnGithub(setupContext, compared, options, asks);
  for (const { path, text } of files) writeConfigFile(path, text);
  recordLegion(context.env, initContext.file);
  const written = files.map(({ path }) => path);
  const created = { ...newParts, items: newParts.items + (resumed ?? 0) };
  const result = toGithubInitData(compared, created, written, initContext);
  const { repository } = initContext;
  const fitness = await findBoardFitness(
    { repository, forge: 'github', missingColumns: result.missing.statuses },
    context,
  );
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ ...result, preflight: fitness })}\n`
      : renderBoardInitSummary({
          compared: description,
          made: created,
          written,
          kept: initContext.kept,
          steps: listNextSteps(
            options,
            initContext,
            context,
            ' && git push   # takes effect once it is on GitHub',
          ),
        }) + renderFitness(fitness),
  );
}

async function chooseProject(
  client: GithubConnection,
  { project, repositories, config }: GithubInitContext,
  asks: boolean,
  context: CommandContext,
): Promise<ProjectName> {
  // Logs in first, so that a bad credential is reported directly instead of as a later failure.
  await withProgress(context, `connecting to ${config.github.url}`, () => client.login());
  if (project !== undefined) return project;
  const owner = repositories[0]?.split('/').at(-2) ?? '';
  return asks ? askProject(client, owner, context) : refuseWithoutProject(client, owner, context.signal);
}

async function compareBoard(
  setupContext: GithubSetupContext,
  initContext: GithubInitContext,
  asks: boolean,
): Promise<GithubBoardComparison> {
  const { client, project, context } = setupContext;
  const { signal } = context;
  const board = await readBoard(client, project, signal);
  const options = board.options.map(({ name }) => name);
  const columns = compareColumns(options, initContext.statuses);
  const answers = asks && !initContext.kept ? await askColumns(columns, context) : {};
  const labels = await Promise.all(
    initContext.repositories.map((repo) => findMissingLabels(client, repo, signal)),
  );
  const names = { ...initContext.statuses, ...answers };
  const mapping = compareColumns(options, names);
  refuseUnknownColumns(options, names);
  refuseTakenColumns(options, mapping);
  return { board, labels, columns: mapping };
}

function buildGithubBoardPart({ config }: GithubInitContext, { columns }: GithubBoardComparison): BoardPart {
  const { url } = config.github;
  const { token } = config.credentials.github;
  return {
    board: {
      backend: 'github',
      ...(url !== LEGION_DEFAULTS.github.url && { github: { url } }),
    } as BoardPart['board'],
    repos: config.repos,
    statuses: columns.names,
    hint: GITHUB_HINT,
    credentials: token === undefined ? {} : { github: { token } },
  };
}

const GITHUB_HINT = `
# GitHub credentials. Without a token, Legion uses GH_TOKEN, GITHUB_TOKEN or \`gh auth token\`. With one App per role, the reviewer of
# the code is not its author (docs/github.md):
# credentials:
#   github:
#     token: env:GITHUB_TOKEN
#     impl: { app_id: 1, private_key: "file:~/.config/legion/impl.pem" }
#     review: { app_id: 2, private_key: "file:~/.config/legion/review.pem" }
#   webhooks: { github: "env:LEGION_GITHUB_WEBHOOK_SECRET" }   # docs/webhooks.md
`;

/** Creates what is missing on GitHub, but only if an option or the person's answer allows it. */
async function createMissingOnGithub(
  setupContext: GithubSetupContext,
  { board, columns, labels }: GithubBoardComparison,
  options: InitBoardOptions,
  asks: boolean,
): Promise<CreatedBoardParts> {
  const { context } = setupContext;
  const { createMissing: create = false, rewriteOptions: rewrite = false } = options;
  const count = labels.reduce((sum, { missing }) => sum + missing.length, 0);
  const wantsLabels = count > 0 && (create || (asks && (await askMakeLabels(count, context))));
  const wantsColumns = await decideColumnCreation(setupContext, board, columns, { create, rewrite, asks });
  if (wantsLabels) await createAllLabels(setupContext, labels);
  const items = wantsColumns ? await createColumns(setupContext, board, columns) : 0;
  return { labels: wantsLabels ? count : 0, statuses: wantsColumns ? columns.missing : [], items };
}

async function decideColumnCreation(
  setupContext: GithubSetupContext,
  board: GithubBoardComparison['board'],
  { missing }: ColumnMapping,
  { create, rewrite, asks }: { create: boolean; rewrite: boolean; asks: boolean },
): Promise<boolean> {
  if (missing.length === 0 || !(create || asks)) return false;
  const placed = await countPlacedItems(setupContext, board);
  if (create && (rewrite || placed === 0)) return true;
  return asks && askMakeColumns(missing, placed, setupContext.context);
}

function toGithubInitData(
  { board, columns, labels }: GithubBoardComparison,
  created: CreatedBoardParts,
  written: readonly string[],
  initContext: GithubInitContext,
) {
  const missing: readonly Status[] = created.statuses.length > 0 ? [] : columns.missing;
  return {
    legion: board.name,
    board: board.url,
    file: initContext.file,
    written,
    repos: initContext.repositories,
    statuses: columns.names,
    made: created,
    missing: {
      statuses: missing,
      labels: created.labels > 0 ? [] : labels.filter(({ missing: some }) => some.length > 0),
    },
  };
}

export interface GithubInitContext extends BoardInitContext {
  /** `legion` is only a guess until `project` is set. */
  readonly config: LegionConfig;
  readonly project: ProjectName | undefined;
  /** The operator's names for the columns. */
  readonly statuses: ColumnNames;
  /** Repositories as `owner/name`. The list has at least one entry. */
  readonly repositories: readonly string[];
}

/**
 * Finds the starting point of `legion init` on GitHub: a directory and its new or existing
 * configuration. Rejects invalid options before the first request to GitHub.
 */
export async function resolveGithubInitContext(
  options: InitBoardOptions,
  context: CommandContext,
): Promise<GithubInitContext> {
  const project = parseProjectOption(options);
  const { githubUrl, token } = options;
  const { url } = buildConfigFromOptions({ githubUrl, token }).github;
  const named = validateRepositoryNames(options.repo);
  const boardContext = await resolveBoardInitContext(options, context);
  const { repository, kept } = boardContext;
  if (kept) return { ...boardContext, ...(await readKeptGithubConfig(repository.path, project, context)) };

  const statuses = parseColumnNames(options.status);
  const repositories =
    named.length > 0 ? named : [(await requireEnclosingRepository(repository.path, url, context.env)).repo];
  const guess = project ?? { owner: parseRepositoryName(repositories[0] ?? '').owner, number: 1 };
  const config = buildConfigFromOptions({
    ...options,
    backend: 'github',
    legion: `${guess.owner}/${guess.number}`,
  });
  const repos = repositories.map((repo) => ({ repo }));
  return { ...boardContext, project, repositories, statuses, config: { ...config, repos } };
}

function parseProjectOption({ project, legion }: InitBoardOptions): ProjectName | undefined {
  if (project !== undefined && legion !== undefined)
    throw new LegionError(
      'usage.invalid',
      '--legion cannot be combined with --project: on GitHub, the project is the name of the legion.',
    );
  const text = project ?? legion;
  return text === undefined
    ? undefined
    : requireProjectName(project === undefined ? '--legion' : '--project', text);
}

async function readKeptGithubConfig(
  folder: string,
  wanted: ProjectName | undefined,
  { env }: CommandContext,
) {
  const { resolved, file } = findLegionLocation({ cwd: folder, env }, {});
  const { config } = resolved;
  const isOther =
    wanted !== undefined && `${wanted.owner}/${wanted.number}`.toLowerCase() !== config.legion.toLowerCase();
  if (config.backend !== 'github' || isOther) {
    throw createOtherBoardError(file.path, config);
  }
  const repositories =
    config.repos.length > 0
      ? config.repos.map(({ repo }) => stripHost(repo))
      : [(await requireEnclosingRepository(folder, config.github.url, env)).repo];
  return {
    config,
    repositories,
    statuses: config.statuses as ColumnNames,
    project: requireProjectName('legion', config.legion),
  };
}
