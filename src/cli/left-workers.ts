/** Finds the agents of a legion that outlived its daemon. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../domain/environment.ts';

export interface LeftWorker {
  readonly worker: string;
  readonly pid: number;
}

export async function findLeftWorkers(
  state: string,
  legion: string,
  environment: Environment,
): Promise<readonly LeftWorker[]> {
  const folder = join(state, 'host');
  if (!existsSync(folder)) return [];
  // Loaded only here, because a daemon runs nearly always.
  const { openLocalHost } = await import('../hosts/local/local-host.ts');
  const host = await openLocalHost({ folder, legion, environment });
  const agents = (await host.adopt()).filter(({ role }) => role === 'agent');
  return agents
    .map(({ worker, pid }) => ({ worker, pid }))
    .toSorted((a, b) => a.worker.localeCompare(b.worker));
}
