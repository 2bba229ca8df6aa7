/** Opens the forge of a repository, as the configuration says. */
import type { Environment } from '../config/legion/environment.ts';
import type { Clock } from '../domain/clock.ts';
import { LegionError } from '../domain/fault.ts';
import type { Forge } from '../forges/forge.ts';
import { openLocalForge } from '../forges/local/local-forge.ts';
import type { ForgeParts } from './compose-repository.ts';
import type { Troubles } from './troubles.ts';

export interface ForgeSurroundings {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly troubles: Troubles;
}

/** Its CI is the repository's own command, run here. */
export function localForge(
  { ground, state, rules, runCi }: ForgeParts,
  { environment, clock, troubles }: ForgeSurroundings,
): Promise<Forge> {
  return openLocalForge({
    ...{ repository: ground.path, base: ground.base, state, clock, environment },
    identity: { name: 'Legion', email: 'legion@localhost' },
    ci: {
      isConfigured: () => {
        const { config, approved } = rules.current();
        return approved && config.commands.ci !== undefined;
      },
      async run(checkout, sha, signal) {
        const { verdict, why, tail } = await runCi(checkout, sha, signal);
        return { verdict, name: 'ci', logTail: `${why}\n${tail}` };
      },
    },
    onFault: (fault) => troubles.raise('forge', new LegionError(fault.code, fault.message)),
  });
}
