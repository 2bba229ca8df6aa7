/** The health of the daemon of a state folder, or nothing where none answers. */
import { LegionError } from '../core/model/fault.ts';
import { adminEndpoints } from '../protocol/endpoints/admin.ts';
import type { HealthView } from '../protocol/operator.ts';
import { daemonClient } from './daemon-client.ts';

/** A daemon on this machine answers within milliseconds, and a busy one within a second. */
const HEALTH_MS = 2_000;

export async function healthOf(state: string, signal: AbortSignal): Promise<HealthView | undefined> {
  try {
    return await daemonClient(state, signal).call(adminEndpoints.health, { timeoutMs: HEALTH_MS });
  } catch (error) {
    if (error instanceof LegionError) return undefined;
    throw error;
  }
}
