/** Chooses the port that a new legion.yaml keeps, so that dashboards and webhooks find the daemon after a restart. */
import { randomInt } from 'node:crypto';
import { LegionError } from '../../../core/model/fault.ts';
import type { Environment } from '../../../domain/environment.ts';
import { isPortFree } from '../../../http/listen.ts';
import { readKnownLegions, readLegion } from './known-legions.ts';

/** Below 32768, where Linux takes the ports of outgoing connections from. */
const MIN_PORT = 14_000;
const MAX_PORT = 31_999;
/** Even where half of all ports are taken, this many random ones fail once in 10^15 times. */
const MAX_TRIES = 50;

/** Random rather than ascending: two legions that start on different days should not both want the first free port. */
export async function choosePort(file: string, env: Environment): Promise<number> {
  // Writing a file again keeps its port, which an open dashboard or a webhook may use.
  const before = readLegion(file)?.port ?? 0;
  if (before !== 0) return before;
  const taken = new Set(readKnownLegions(env).map(({ port }) => port));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(MIN_PORT, MAX_PORT + 1);
    if (!taken.has(port) && (await isPortFree(port))) return port;
  }
  throw new LegionError('http.port_taken', `None of ${MAX_TRIES} ports tried on 127.0.0.1 is free.`);
}
