/**
 * `legion init` for a Linear board: inspects the team, offers to create what is missing, and writes
 * `legion.yaml`.
 */
import { LEGION_DEFAULTS, type LegionConfig } from '../../../../config/legion/schema.ts';
import { LegionError } from '../../../../core/model/fault.ts';
import { isGithubUsed, openGithubClient } from '../../../../daemon/composition/open-github.ts';
import { openLinearClient } from '../../../../daemon/composition/open-tracker.ts';
import type { LinearClient } from '../../../../integrations/linear/client/client.ts';
import { probeWriteAccess } from '../../../../integrations/linear/client/credential.ts';
import { findTeam, type LinearTeam, readTeams } from '../../../../integrations/linear/client/teams.ts';
import { systemClock } from '../../../../lib/async/system-clock.ts';
import { isInteractive } from '../../../ask-person.ts';
import { refuseTakenColumns, refuseUnknownColumns } from '../../../columns.ts';
import { recordLegion } from '../../../known-legions.ts';
import { buildTeamUrl, compareStates, listFreeStates, type TeamSetup } from '../../../linear-team.ts';
import { withProgress } from '../../../present/terminal.ts';
import type { CommandContext } from '../../../program/define-command.ts';
import {
  askColumns,
  type CreatedBoardParts,
  renderBoardComparison,
  renderBoardInitSummary,
} from './board-ask.ts';
import {
  buildBoardFiles,
  createOtherBoardError,
  type InitBoardOptions,
  listNextSteps,
} from './board-files.ts';
import { findBoardFitness, renderFitness } from './fitness.ts';
import { refuseWithoutAccess } from './github-ask.ts';
import {
  askForge,
  askTeam,
  createAgreedParts,
  createTeamNeededError,
  describeLinearTeam,
  type LinearInitContext,
  resolveLinearInitContext,
} from './linear-ask.ts';
import { type BoardPart, writeConfigFile } from './write.ts';

export async function initLinear(options: InitBoardOptions, context: CommandContext): Promise<undefined> {
  const asks = !options.yes && !options.json && isInteractive(context);
  const initContext = await resolveLinearInitContext(options, context, async () =>
    asks ? askForge(context) : 'local',
  );
  const client = await openLinearClient(initContext.config, context.env, systemClock);
  try {
    await setupLinear({ client, initContext, options, asks }, context);
    return undefined;
  } finally {
    await client.close();
  }
}

interface LinearSetupContext {
  readonly client: LinearClient;
  readonly initContext: LinearInitContext;
  readonly options: InitBoardOptions;
  readonly asks: boolean;
}

async function setupLinear(setupContext: LinearSetupContext, context: CommandContext): Promise<void> {
  const { client, initContext, options, asks } = setupContext;
  const { config, kept } = initContext;
  const viewer = await withProgress(context, `connecting to ${config.linear.url}`, () => client.viewer());
  const team = await chooseTeam(setupContext, context);
  await withProgress(context, 'checking the account’s permissions', () =>
    refuseWithoutRights(setupContext, context),
  );
  const setup = await compareTeam(setupContext, team, context);
  // Runs before anything is created, so that an invalid answer leaves nothing behind.
  const part = buildLinearBoardPart(initContext, team, setup);
  const files = await buildBoardFiles({ options, initContext, legion: team.id, part, asks }, context);
  const address = buildTeamUrl(config.linear.url, viewer, team.key);
  const description = describeLinearTeam(team, address, setup);
  if (!options.json) context.stdout.write(renderBoardComparison(description));
  const createOptions = {
    client,
    team,
    missing: setup.missing,
    create: options.createMissing === true,
    asks,
  };
  const created = await createAgreedParts(createOptions, context);
  for (const { path, text } of files) writeConfigFile(path, text);
  recordLegion(context.env, initContext.file);
  const written = files.map(({ path }) => path);
  const result = toLinearInitData(initContext, team, setup, { made: created, written, address });
  const fitness = await findBoardFitness(
    {
      repository: initContext.repository,
      forge: config.forge === 'github' ? 'github' : 'local',
      missingColumns: result.missing.statuses,
    },
    context,
  );
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ ...result, preflight: fitness })}\n`
      : renderBoardInitSummary({
          compared: description,
          made: created,
          written,
          kept,
          steps: listNextSteps(options, initContext, context, describePushStep(config)),
        }) + renderFitness(fitness),
  );
}

/**
 * Reads all teams at once: this costs no more than reading one team, and a person can choose from
 * the list.
 */
async function chooseTeam(
  { client, initContext, asks }: LinearSetupContext,
  context: CommandContext,
): Promise<LinearTeam> {
  const { team: text, kept, config, file } = initContext;
  const teams = await withProgress(context, 'reading the teams', () => readTeams(client, context.signal));
  if (kept) {
    const own = findTeam(teams, config.legion);
    if (text !== undefined && findTeam(teams, text) !== own) throw createOtherBoardError(file, config);
    return own;
  }
  if (text !== undefined) return findTeam(teams, text);
  if (!asks) throw createTeamNeededError(teams);
  return askTeam(teams, context);
}

async function refuseWithoutRights(
  { client, initContext: { config, repositories } }: LinearSetupContext,
  { env, signal }: CommandContext,
): Promise<void> {
  const writeAccess = await probeWriteAccess(client, signal);
  if (writeAccess.verdict === 'no')
    throw new LegionError(
      'linear.forbidden',
      `The credential can read but not write: ${writeAccess.reason}. Create a key with the Write permission.`,
    );
  if (!isGithubUsed(config)) return;
  const github = await openGithubClient(config, env, systemClock);
  try {
    await refuseWithoutAccess(github, repositories, undefined, signal);
  } finally {
    await github.close();
  }
}

async function compareTeam(
  { initContext, options, asks }: LinearSetupContext,
  team: LinearTeam,
  context: CommandContext,
): Promise<TeamSetup> {
  const first = compareStates(team, initContext.statuses);
  const listFree = (status: TeamSetup['columns']['missing'][number]) =>
    listFreeStates(team, first.columns, status);
  const answers = asks && !initContext.kept ? await askColumns(first.columns, context, listFree) : {};
  const configured = { ...initContext.statuses, ...answers };
  const names = team.states.map(({ name }) => name);
  // With --create-missing or a person to ask, unknown names are allowed: such states can be
  // created.
  if (!options.createMissing && !asks) refuseUnknownColumns(names, configured);
  const setup = compareStates(team, configured);
  refuseTakenColumns(names, setup.columns);
  return setup;
}

function buildLinearBoardPart(
  { config }: LinearInitContext,
  team: LinearTeam,
  { columns }: TeamSetup,
): BoardPart {
  const { url } = config.linear;
  const { github, linear } = config.credentials;
  const board = {
    short_id: team.key.toLowerCase(),
    backend: 'linear',
    forge: config.forge,
    ...(url !== LEGION_DEFAULTS.linear.url && { linear: { url } }),
    ...(config.github.url !== LEGION_DEFAULTS.github.url && { github: { url: config.github.url } }),
  } as BoardPart['board'];
  return {
    board,
    repos: config.repos,
    statuses: columns.names,
    credentials: {
      ...(Object.keys(linear).length > 0 && { linear }),
      ...(github.token !== undefined && { github: { token: github.token } }),
    },
    hint: LINEAR_HINT + (config.repos.length > 1 ? REPOSITORIES_HINT : ''),
  };
}

const LINEAR_HINT = `
# Linear credentials, from a person's API key or from a separate OAuth app, and webhooks (docs/linear.md):
# credentials:
#   linear: { api_key: "env:LINEAR_API_KEY" }   # or access_token
#   webhooks: { linear: "env:LEGION_LINEAR_WEBHOOK_SECRET" }   # docs/webhooks.md
`;

const REPOSITORIES_HINT = `
# An issue belongs to the first repository, unless a label or its project selects another one:
# repos:
#   - { repo: acme/site, labels: [site], projects: [Website] }
`;

function describePushStep({ forge }: LegionConfig): string {
  return forge === 'github' ? ' && git push   # takes effect once it is on GitHub' : '';
}

function toLinearInitData(
  { file, config, repositories }: LinearInitContext,
  { id, key, name }: LinearTeam,
  { columns, missing, problems }: TeamSetup,
  { made, written, address }: { made: CreatedBoardParts; written: readonly string[]; address: string },
) {
  return {
    legion: id,
    team: { key, name },
    board: address,
    file,
    written,
    forge: config.forge,
    repos: repositories,
    statuses: columns.names,
    made,
    missing: {
      statuses: made.statuses.length > 0 ? [] : columns.missing,
      labels: made.labels > 0 ? [] : missing.labels,
    },
    problems,
  };
}
