/** Who the legion is on GitHub, said where it is started; nothing where it is not on GitHub. */
import { openGithubOf, usesGithub } from '../../../daemon/compose-github.ts';
import { systemClock } from '../../../daemon/system-clock.ts';
import { identityLines } from '../../../github/identity-lines.ts';
import type { CommandContext } from '../../command.ts';
import type { Place } from '../../place.ts';

/** One request for each account. GitHub that does not answer is said in the line: the daemon runs already. */
export async function identitiesOf(
  { resolved }: Place,
  { env }: CommandContext,
): Promise<readonly string[] | undefined> {
  if (!usesGithub(resolved.config)) return undefined;
  const client = await openGithubOf(resolved.config, env, systemClock);
  try {
    return identityLines(await client.credentials.describeIdentity());
  } finally {
    await client.close();
  }
}
