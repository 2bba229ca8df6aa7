/** `legion init` for a board in Linear: looks at the team, offers to make what it lacks, and writes `legion.yaml`. */
import { LEGION_DEFAULTS, type LegionConfig } from '../../../config/legion/schema.ts';
import { LegionError } from '../../../core/model/fault.ts';
import { openGithubOf, usesGithub } from '../../../daemon/compose-github.ts';
import { openLinearOf } from '../../../daemon/compose-linear.ts';
import { readTeams, type Team } from '../../../integrations/linear/client/teams.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { LinearClient } from '../../../linear/client.ts';
import { findTeam } from '../../../linear/find-team.ts';
import { mayWrite } from '../../../linear/may-write.ts';
import { isInteractive } from '../../ask-person.ts';
import { refuseTakenColumns, refuseUnknownNames } from '../../columns.ts';
import type { CommandContext } from '../../command.ts';
import { teamAddress } from '../../linear/address.ts';
import { compareStates, freeStates, type TeamSetup } from '../../linear/states.ts';
import { withProgress } from '../../present/progress.ts';
import { findBoardFitness, fitnessPage } from '../setup/init/fitness.ts';
import { type BoardPart, writeWhole } from '../setup/init/write.ts';
import { askColumns } from './board-ask.ts';
import { filesFor, stepsAfter } from './board-files.ts';
import { anotherBoard, type InitBoardOptions } from './board-ground.ts';
import { comparison, ending, type Made } from './board-page.ts';
import { refuseWithoutAccess } from './github-access.ts';
import { rememberLegion } from './known-legions.ts';
import { askForge, askTeam, noTeam } from './linear-ask.ts';
import { findLinearGround, type LinearGround } from './linear-ground.ts';
import { makeMissing } from './linear-make.ts';
import { inWords } from './linear-page.ts';

export async function initLinear(options: InitBoardOptions, context: CommandContext): Promise<undefined> {
  const asks = !options.yes && !options.json && isInteractive(context);
  const ground = await findLinearGround(options, context, async () => (asks ? askForge(context) : 'local'));
  const client = await openLinearOf(ground.config, context.env, systemClock);
  try {
    await setUp({ client, ground, options, asks }, context);
    return undefined;
  } finally {
    await client.close();
  }
}

interface Site {
  readonly client: LinearClient;
  readonly ground: LinearGround;
  readonly options: InitBoardOptions;
  readonly asks: boolean;
}

async function setUp(site: Site, context: CommandContext): Promise<void> {
  const { client, ground, options, asks } = site;
  const { config, kept } = ground;
  const viewer = await withProgress(context, `asking ${config.linear.url}`, () => client.viewer());
  const team = await teamOf(site, context);
  await withProgress(context, 'looking at what the account may do', () => refuseWithoutRights(site, context));
  const setup = await compare(site, team, context);
  // Before anything is made: an answer that the file cannot hold leaves nothing behind.
  const part = partOf(ground, team, setup);
  const files = await filesFor({ options, ground, legion: team.id, part, asks }, context);
  const address = teamAddress(config.linear.url, viewer, team.key);
  const words = inWords(team, address, setup);
  if (!options.json) context.stdout.write(comparison(words));
  const wish = { client, team, missing: setup.missing, create: options.createMissing === true, asks };
  const made = await makeMissing(wish, context);
  for (const { path, text } of files) writeWhole(path, text);
  rememberLegion(context.env, ground.file);
  const written = files.map(({ path }) => path);
  const result = data(ground, team, setup, { made, written, address });
  const fitness = await findBoardFitness(
    {
      repository: ground.repository,
      forge: config.forge === 'github' ? 'github' : 'local',
      missingColumns: result.missing.statuses,
    },
    context,
  );
  context.stdout.write(
    options.json
      ? `${JSON.stringify({ ...result, preflight: fitness })}\n`
      : ending({
          compared: words,
          made,
          written,
          kept,
          steps: stepsAfter(options, ground, context, counts(config)),
        }) + fitnessPage(fitness),
  );
}

/** All of them at once: a list costs Linear no more than one, and a person is shown what there is. */
async function teamOf({ client, ground, asks }: Site, context: CommandContext): Promise<Team> {
  const { team: text, kept, config, file } = ground;
  const teams = await withProgress(context, 'looking at the teams', () => readTeams(client, context.signal));
  if (kept) {
    const own = findTeam(teams, config.legion);
    if (text !== undefined && findTeam(teams, text) !== own) throw anotherBoard(file, config);
    return own;
  }
  if (text !== undefined) return findTeam(teams, text);
  if (!asks) throw noTeam(teams);
  return askTeam(teams, context);
}

async function refuseWithoutRights(
  { client, ground: { config, repositories } }: Site,
  { env, signal }: CommandContext,
): Promise<void> {
  const writing = await mayWrite(client, signal);
  if (writing.verdict === 'no')
    throw new LegionError(
      'linear.forbidden',
      `the credential may read, but not write: ${writing.says}. Make a key with the permission Write.`,
    );
  if (!usesGithub(config)) return;
  const github = await openGithubOf(config, env, systemClock);
  try {
    await refuseWithoutAccess(github, repositories, undefined, signal);
  } finally {
    await github.close();
  }
}

async function compare(
  { ground, options, asks }: Site,
  team: Team,
  context: CommandContext,
): Promise<TeamSetup> {
  const first = compareStates(team, ground.statuses);
  const free = (status: TeamSetup['columns']['missing'][number]) => freeStates(team, first.columns, status);
  const asked = asks && !ground.kept ? await askColumns(first.columns, context, free) : {};
  const given = { ...ground.statuses, ...asked };
  const names = team.states.map(({ name }) => name);
  // A state by another name can be made as well, if that is wanted.
  if (!options.createMissing && !asks) refuseUnknownNames(names, given);
  const setup = compareStates(team, given);
  refuseTakenColumns(names, setup.columns);
  return setup;
}

function partOf({ config }: LinearGround, team: Team, { columns }: TeamSetup): BoardPart {
  const { url } = config.linear;
  const { github, linear } = config.credentials;
  const board = {
    ...{ short_id: team.key.toLowerCase(), backend: 'linear', forge: config.forge },
    ...(url !== LEGION_DEFAULTS.linear.url && { linear: { url } }),
    ...(config.github.url !== LEGION_DEFAULTS.github.url && { github: { url: config.github.url } }),
  } as BoardPart['board'];
  return {
    ...{ board, repos: config.repos, statuses: columns.names },
    credentials: {
      ...(Object.keys(linear).length > 0 && { linear }),
      ...(github.token !== undefined && { github: { token: github.token } }),
    },
    hint: HINT + (config.repos.length > 1 ? HINT_ON_REPOSITORIES : ''),
  };
}

const HINT = `
# Who Legion is in Linear, by a person's key or as an OAuth app of its own, and its webhooks (docs/linear.md):
# credentials:
#   linear: { api_key: "env:LINEAR_API_KEY" }   # or access_token
#   webhooks: { linear: "env:LEGION_LINEAR_WEBHOOK_SECRET" }   # docs/webhooks.md
`;

const HINT_ON_REPOSITORIES = `
# An issue belongs to the first repository, unless a label or its project says otherwise:
# repos:
#   - { repo: acme/site, labels: [site], projects: [Website] }
`;

function counts({ forge }: LegionConfig): string {
  return forge === 'github' ? ' && git push   # they count once on GitHub' : '';
}

function data(
  { file, config, repositories }: LinearGround,
  { id, key, name }: Team,
  { columns, missing, problems }: TeamSetup,
  { made, written, address }: { made: Made; written: readonly string[]; address: string },
) {
  return {
    ...{ legion: id, team: { key, name }, board: address, file, written },
    ...{ forge: config.forge, repos: repositories, statuses: columns.names, made },
    missing: {
      statuses: made.statuses.length > 0 ? [] : columns.missing,
      labels: made.labels > 0 ? [] : missing.labels,
    },
    problems,
  };
}
