/** Linear: who Legion is there, its team, whether it may write, states, labels, repositories, webhooks, and what is left of the budget. */
import type { LegionConfig } from '../../../config/legion/schema.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { openLinearOf } from '../../../daemon/compose-linear.ts';
import { readTeams, type Team } from '../../../integrations/linear/client/teams.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { LinearClient, Viewer } from '../../../linear/client.ts';
import { findTeam } from '../../../linear/find-team.ts';
import { mayWrite } from '../../../linear/may-write.ts';
import { missingIn } from '../../../linear/missing.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../legion-location.ts';
import { teamAddress } from '../../linear/address.ts';
import { credentialWords } from '../../linear/credential-words.ts';
import { marksIn, missingMarks } from '../../linear/marks.ts';
import { compareStates } from '../../linear/states.ts';
import { sayNames } from '../init/board-page.ts';
import { byHand } from '../init/linear-page.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';
import { budgetLeft, webhooks } from './service.ts';

const MORE = 'Fewer programs with keys of the same person have more.';

export async function examineLinear(place: Place, context: CommandContext): Promise<readonly Finding[]> {
  const { config } = place.resolved;
  const deliveries = webhooks('linear', config.credentials.webhooks.linear, context);
  let client: LinearClient;
  let by: string;
  try {
    by = credentialWords(config, context.env);
    client = await openLinearOf(config, context.env, systemClock);
  } catch (error) {
    return [fromError('Linear', error), deliveries];
  }
  try {
    const viewer = await client.viewer();
    const account = ok('Linear account', `${nameOf(viewer)} of ${viewer.workspace.name}, by ${by}`);
    const board = await examineTeam(client, viewer, place, context);
    const left = budgetLeft('Linear budget', client.budget(), MORE);
    return [account, ...board, deliveries, ...left];
  } catch (error) {
    // Without an account, or without Linear, all the rest would say the same once more.
    return [fromError('Linear', error), deliveries];
  } finally {
    await client.close();
  }
}

function nameOf({ name, email }: Viewer): string {
  return email === '' ? name : `${name} (${email})`;
}

async function examineTeam(
  client: LinearClient,
  viewer: Viewer,
  { resolved: { config } }: Place,
  { signal }: CommandContext,
): Promise<readonly Finding[]> {
  const writes = await writing(client, signal);
  let team: Team;
  try {
    team = findTeam(await readTeams(client, signal), config.legion);
  } catch (error) {
    return [fromError('team', error), writes];
  }
  const address = teamAddress(config.linear.url, viewer, team.key);
  return [
    ok('team', [`${team.name} (${team.key})`, address].filter(Boolean).join(', ')),
    writes,
    ...states(team, config),
    labels(team),
    ...(await repositories(client, team, config, signal)),
  ];
}

/** Linear lets nobody read what a key may do, so it is tried on an issue that does not exist. */
async function writing(client: LinearClient, signal: AbortSignal): Promise<Finding> {
  const what = 'writing';
  try {
    const found = await mayWrite(client, signal);
    if (found.verdict === 'yes')
      return ok(
        what,
        'it may: asked to change an issue that does not exist, Linear only says that there is none',
      );
    if (found.verdict === 'no')
      return bad(
        what,
        `it may not: ${found.says}`,
        'Make a key with the permission Write, or a token with the scope write.',
      );
    const next = 'Nothing has to be done if moving an issue works; Linear does not tell what a key may do.';
    return warn(what, `could not be found out: ${found.says}`, next);
  } catch (error) {
    return fromError(what, error);
  }
}

/** Whether a team of Linear has a state for each status and Legion's labels, and whether issues find their repositories. */
function states(team: Team, { statuses }: LegionConfig): readonly Finding[] {
  const what = 'states';
  const { columns, missing } = compareStates(team, statuses as ColumnNames);
  const unfit = missing.unfit.map(({ status, state, type }) =>
    bad(
      what,
      `${state} is of the type ${type}, which ${status} cannot be`,
      'Make another state in the team’s settings, and name it under statuses in legion.yaml.',
    ),
  );
  if (columns.missing.length > 0)
    return [bad(what, `none for ${columns.missing.join(', ')}`, byHand(columns.missing)), ...unfit];
  if (Object.keys(columns.unsaid).length > 0)
    return [bad(what, 'some have names that Legion does not know', sayNames(columns.unsaid)), ...unfit];
  const named = columns.rows.filter(({ status, column }) => column !== status);
  const words = named.map(({ status, column }) => `${status} is ${column}`).join(', ');
  return unfit.length > 0 ? unfit : [ok(what, `every status has one${words === '' ? '' : `; ${words}`}`)];
}

function labels(team: Team): Finding {
  const what = 'labels';
  const { labels: lacking, exclusive } = missingIn(team, {});
  const [group] = exclusive;
  if (group !== undefined)
    return bad(
      what,
      `${group.labels.join(', ')} are in the group ${group.group}, of which an issue has only one`,
      'Take them out of the group.',
    );
  if (lacking.length === 0) return ok(what, 'all there');
  const next =
    'Nothing has to be done: each is made when it is first needed. To set one by hand before: legion init --create-missing';
  return warn(what, `missing: ${lacking.join(', ')}`, next);
}

/** Nothing where every issue belongs to the only repository. */
async function repositories(
  client: LinearClient,
  team: Team,
  config: LegionConfig,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const what = 'repositories of issues';
  const { repos } = config;
  const marks = marksIn(config);
  const [first] = repos;
  if (first === undefined || (repos.length === 1 && marks.labels.length + marks.projects.length === 0))
    return [];
  try {
    const lacking = await missingMarks(client, team, marks, signal);
    const words = [
      ...lacking.labels.map((name) => `the label ${name}`),
      ...lacking.projects.map((name) => `the project ${name}`),
    ];
    if (words.length > 0)
      return [
        warn(
          what,
          `the team does not have ${words.join(', ')}`,
          'Make them in Linear, or correct repos in legion.yaml; until then nothing leads issues there.',
        ),
      ];
    const unreachable = repos
      .slice(1)
      .filter(({ labels: own = [], projects = [] }) => own.length + projects.length === 0);
    if (unreachable.length > 0) {
      const names = unreachable.map(({ repo }) => repo).join(', ');
      return [
        warn(what, `no label and no project leads to ${names}`, 'Name some under repos in legion.yaml.'),
      ];
    }
    return [ok(what, `by their labels or project; ${first.repo} for all others`)];
  } catch (error) {
    return [fromError(what, error)];
  }
}
