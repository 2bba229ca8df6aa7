/** Linear: who Legion is there, its team, whether it may write, states, labels, repositories, webhooks, and what is left of the budget. */
import { openLinearOf } from '../../../daemon/compose-linear.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { LinearClient, Viewer } from '../../../linear/client.ts';
import { findTeam } from '../../../linear/find-team.ts';
import { mayWrite } from '../../../linear/may-write.ts';
import { readTeams, type Team } from '../../../linear/teams.ts';
import type { CommandContext } from '../../command.ts';
import { teamAddress } from '../../linear/address.ts';
import { credentialWords } from '../../linear/credential-words.ts';
import type { Place } from '../../place.ts';
import { bad, type Finding, fromError, ok, warn } from './finding.ts';
import { labels, repositories, states } from './linear-board.ts';
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
