/** Who the legion is on GitHub and in Linear, said where it is started; nothing where it is in neither. */

import { LegionError } from '../../../core/model/fault.ts';
import { openGithubOf, usesGithub } from '../../../daemon/compose-github.ts';
import { openLinearOf } from '../../../daemon/compose-linear.ts';
import { identityLines } from '../../../github/identity-lines.ts';
import { systemClock } from '../../../lib/async/system-clock.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../legion-location.ts';
import { credentialWords } from '../../linear/credential-words.ts';

/** One request for each account. A service that does not answer is said in the line: the daemon runs already. */
export async function identitiesOf(
  place: Place,
  context: CommandContext,
): Promise<readonly string[] | undefined> {
  const { config } = place.resolved;
  const lines = [
    ...(config.backend === 'linear' ? [await inLinear(place, context)] : []),
    ...(usesGithub(config) ? await onGithub(place, context) : []),
  ];
  return lines.length === 0 ? undefined : lines;
}

async function onGithub({ resolved }: Place, { env }: CommandContext): Promise<readonly string[]> {
  const client = await openGithubOf(resolved.config, env, systemClock);
  try {
    return identityLines(await client.credentials.describeIdentity());
  } finally {
    await client.close();
  }
}

async function inLinear({ resolved: { config } }: Place, { env }: CommandContext): Promise<string> {
  const client = await openLinearOf(config, env, systemClock);
  try {
    const { name, workspace } = await client.viewer();
    return `Legion in Linear acts as ${name} of ${workspace.name} (${credentialWords(config, env)}).`;
  } catch (error) {
    if (!(error instanceof LegionError)) throw error;
    return `Legion in Linear has an account that is not known: ${error.message}`;
  } finally {
    await client.close();
  }
}
