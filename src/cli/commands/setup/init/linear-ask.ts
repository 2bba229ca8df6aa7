/**
 * Asks about a Linear board, describes its team, creates what it lacks, and resolves the options of
 * `legion init`.
 */

import { NIL } from 'uuid';
import type { LegionConfig } from '../../../../config/legion/schema.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { getLabelStyle } from '../../../../core/model/label.ts';
import type { ColumnNames } from '../../../../core/model/status.ts';
import { requireEnclosingRepository } from '../../../../daemon/composition/clone.ts';
import type { LinearClient } from '../../../../integrations/linear/client/client.ts';
import {
  createMissing,
  type MissingTeamParts,
} from '../../../../integrations/linear/client/create-missing.ts';
import type { LinearTeam } from '../../../../integrations/linear/client/teams.ts';
import { askChoice, type PromptChoice } from '../../../ask-person.ts';
import { findLegionLocation } from '../../../legion-location.ts';
import { describeMissingStates, type TeamSetup } from '../../../linear-team.ts';
import { withProgress } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import { buildConfigFromOptions } from './answers.ts';
import { askMakeLabels, askYesNo, type BoardComparison, type CreatedBoardParts } from './board-ask.ts';
import {
  type BoardInitContext,
  createOtherBoardError,
  type InitBoardOptions,
  resolveBoardInitContext,
  stripHost,
} from './board-files.ts';
import { parseColumnNames, validateRepositoryNames } from './board-options.ts';
import { findRepository } from './repository.ts';
import { toRepositoryName } from './write.ts';

const FORGE_CHOICES: readonly PromptChoice<'local' | 'github'>[] = [
  { value: 'local', label: 'On this machine', hint: 'needs no account' },
  { value: 'github', label: 'On GitHub' },
];

export async function askForge(context: CommandContext): Promise<'local' | 'github'> {
  return askChoice(context, 'Where are the pull requests?', FORGE_CHOICES, 'local');
}

export async function askTeam(teams: readonly LinearTeam[], context: CommandContext): Promise<LinearTeam> {
  const [first] = teams;
  if (first === undefined) throw createTeamNeededError(teams);
  const choices = teams.map(({ key, name }) => ({ value: key, label: key, hint: name }));
  const answer = await askChoice(context, 'Which team has the issues?', choices, first.key);
  return teams.find(({ key }) => key === answer) ?? first;
}

/** Maximum number of teams to list, few enough to read at a glance. */
const MAX_NAMED_TEAMS = 8;

/** Returns the error for a missing --team. Used if there is no person to ask. */
export function createTeamNeededError(teams: readonly LinearTeam[]): LegionError {
  if (teams.length === 0)
    return new LegionError(
      'linear.missing',
      'The account has no access to any team. Add it to a team, or give the key access to one.',
    );
  const some = teams.slice(0, MAX_NAMED_TEAMS).map(({ key, name }) => `${key} (${name})`);
  const suffix = teams.length > some.length ? ' and others. Run `legion teams --linear` to list all' : '';
  return new LegionError('usage.invalid', `--team KEY is required. Valid: ${some.join(', ')}${suffix}.`);
}

async function askMakeStates(names: readonly string[], context: CommandContext): Promise<boolean> {
  return askYesNo(`Create the states ${names.join(', ')}?`, context);
}

/** Describes a Linear board for `legion init`. */
export function describeLinearTeam(
  team: LinearTeam,
  address: string,
  { columns, missing, problems }: TeamSetup,
): BoardComparison {
  return {
    columns,
    problems,
    columnWord: 'states',
    columnHead: 'STATE',
    describeMissing: describeMissingStates,
    board: { name: team.key, title: team.name, url: address },
    labels: [{ what: 'labels', missing: missing.labels }],
  };
}

export interface CreateMissingOptions {
  readonly client: LinearClient;
  readonly team: LinearTeam;
  readonly missing: MissingTeamParts;
  /** True if `--create-missing` is given. */
  readonly create: boolean;
  /** True if there is a person at the terminal to answer questions. */
  readonly asks: boolean;
}

/**
 * Creates the missing states and labels, if `--create-missing` or the person's answer allows it.
 */
export async function createAgreedParts(
  options: CreateMissingOptions,
  context: CommandContext,
): Promise<CreatedBoardParts> {
  const { missing, create, asks } = options;
  const shouldCreate = async (isMissing: boolean, ask: () => Promise<boolean>) =>
    isMissing && (create || (asks && (await ask())));
  const names = missing.states.map(({ name }) => name);
  const labels = (await shouldCreate(missing.labels.length > 0, () =>
    askMakeLabels(missing.labels.length, context),
  ))
    ? missing.labels
    : [];
  const states = (await shouldCreate(names.length > 0, () => askMakeStates(names, context)))
    ? missing.states
    : [];
  if (states.length + labels.length > 0) await createStatesAndLabels(options, { states, labels }, context);
  return { statuses: states.map(({ status }) => status), labels: labels.length, items: 0 };
}

async function createStatesAndLabels(
  { client, team }: CreateMissingOptions,
  missing: Pick<MissingTeamParts, 'states' | 'labels'>,
  context: CommandContext,
): Promise<void> {
  const count = missing.states.length + missing.labels.length;
  let done = 0;
  const countResult = () => {
    done += 1;
  };
  try {
    await withProgress(
      context,
      () => `creating states and labels: ${done} of ${count}`,
      () =>
        createMissing({
          client,
          team: team.id,
          missing,
          labelStyle: getLabelStyle,
          onResult: countResult,
          signal: context.signal,
        }),
    );
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    const message = `${error.message}\n${done} of ${count} states and labels were created; legion.yaml is unchanged. Run the same command again to continue.`;
    throw new LegionError(error.code, message, { cause: error });
  }
}

export interface LinearInitContext extends BoardInitContext {
  /** Until the team is found, `legion` is a placeholder, unless it comes from an existing file. */
  readonly config: LegionConfig;
  /** Team as the person typed it: a key, a name or a UUID. */
  readonly team: string | undefined;
  /** The operator's names for the states. */
  readonly statuses: ColumnNames;
  /** GitHub repositories as `owner/name`; empty if the code is on this machine. */
  readonly repositories: readonly string[];
}

/**
 * Finds the starting point of `legion init` with Linear: a directory and its new or existing
 * configuration. Rejects invalid options before the first request to Linear.
 */
export async function resolveLinearInitContext(
  options: InitBoardOptions,
  context: CommandContext,
  chooseForge: () => Promise<string>,
): Promise<LinearInitContext> {
  const team = parseTeamOption(options);
  buildConfigFromOptions({ ...omitLegionName(options), legion: NIL, backend: 'linear' });
  validateRepositoryNames(options.repo);
  const boardContext = await resolveBoardInitContext(options, context);
  const { repository, kept } = boardContext;
  if (kept) return { ...boardContext, team, ...(await readKeptLinearConfig(repository.path, context)) };

  const forge = options.forge ?? (hasGithubOptions(options) ? 'github' : await chooseForge());
  if (forge === 'local' && hasGithubOptions(options))
    throw new LegionError('usage.invalid', '--repo, --token and --github-url require --forge github.');
  const statuses = parseColumnNames(options.status);
  const settings = {
    ...omitLegionName(options),
    ...detectAmbientKey(options, context),
    forge,
    legion: NIL,
    backend: 'linear',
  };
  const config = buildConfigFromOptions(settings);
  const repositories =
    forge === 'local' ? [] : await resolveRepositories(options, repository.path, config, context);
  // Checks that the base branch exists. With a local forge, the base is a branch of this
  // repository.
  if (forge === 'local') await findRepository(context, options.base);
  const repos =
    forge === 'local' && options.base !== undefined
      ? [{ repo: `local/${toRepositoryName(boardContext.file)}` }]
      : repositories.map((repo) => ({ repo }));
  return { ...boardContext, team, statuses, repositories, config: { ...config, repos } };
}

function parseTeamOption({ team, legion }: InitBoardOptions): string | undefined {
  if (team !== undefined && legion !== undefined)
    throw new LegionError(
      'usage.invalid',
      '--legion cannot be combined with --team: in Linear, the team is the name of the legion.',
    );
  const text = team ?? legion;
  if (text?.trim() === '') throw new LegionError('usage.invalid', '--team takes a key, a name or a UUID.');
  return text?.trim();
}

/**
 * Removes the legion's name from the options. The team determines the name, and the team is not
 * known yet.
 */
function omitLegionName({ legion: _, ...options }: InitBoardOptions): Omit<InitBoardOptions, 'legion'> {
  return options;
}

function hasGithubOptions(options: InitBoardOptions): boolean {
  const { token, githubUrl: url, repo } = options;
  return repo.length > 0 || token !== undefined || url !== undefined;
}

const KEY_VARIABLE = 'LINEAR_API_KEY';

/**
 * If the environment variable with the key is set and no other credential is specified, returns a
 * reference to that variable for the file, so that every shell uses the same source.
 */
function detectAmbientKey(options: InitBoardOptions, { env }: CommandContext): { apiKey?: string } {
  const isNamed = options.apiKey !== undefined || options.accessToken !== undefined;
  const isThere = (env[KEY_VARIABLE]?.trim() ?? '') !== '';
  return isThere && !isNamed ? { apiKey: `env:${KEY_VARIABLE}` } : {};
}

async function resolveRepositories(
  { repo }: InitBoardOptions,
  folder: string,
  { github }: LegionConfig,
  { env }: CommandContext,
): Promise<readonly string[]> {
  return repo.length > 0 ? repo : [(await requireEnclosingRepository(folder, github.url, env)).repo];
}

async function readKeptLinearConfig(folder: string, { env }: CommandContext) {
  const { resolved, file } = findLegionLocation({ cwd: folder, env }, {});
  const { config } = resolved;
  if (config.backend !== 'linear') throw createOtherBoardError(file.path, config);
  const { repos, forge, github } = config;
  const onGithub =
    repos.length > 0
      ? repos.map(({ repo }) => stripHost(repo))
      : forge === 'github'
        ? [(await requireEnclosingRepository(folder, github.url, env)).repo]
        : [];
  return {
    config,
    statuses: config.statuses as ColumnNames,
    repositories: forge === 'github' ? onGithub : [],
  };
}
