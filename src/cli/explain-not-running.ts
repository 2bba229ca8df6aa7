/**
 * Explains why a daemon does not answer. Also reports workers that are still running, and a halt
 * that no daemon has read yet.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { HALT_FILE } from '../protocol/state-files.ts';
import type { HealthView } from '../protocol/status.ts';
import { findSurvivingWorkers } from './daemon-address.ts';
import { createDaemonClient } from './daemon-client.ts';
import type { CommandSession } from './program/daemon-command.ts';

/**
 * If the command fails with `daemon.not_running`, adds any workers that are still running, and any
 * recorded halt, to the error. `next` is the advice if no workers are still running.
 */
export async function explainIfNotRunning<T>(
  session: CommandSession,
  next: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'daemon.not_running') throw error;
    throw await explainNotRunning(session, error, next);
  }
}

async function explainNotRunning(
  session: CommandSession,
  { code, message }: LegionError,
  next: string,
): Promise<LegionError> {
  const { location, context } = session;
  const left = await findSurvivingWorkers(location.state, location.resolved.config.legion, context.env);
  const workers = left.map(({ worker, pid }) => `${worker} (pid ${pid})`);
  const halt = existsSync(join(location.state, HALT_FILE))
    ? ['The legion is halted: after `legion up`, no workers start until you run `legion resume`.']
    : [];
  if (workers.length === 0) return new LegionError(code, message, { next: [next, ...halt].join('\n') });
  const advice = '`legion up` takes over its workers; `legion stop --all` stops them without a daemon.';
  return new LegionError(code, `${message}; its workers are still running: ${workers.join(', ')}`, {
    next: [advice, ...halt].join('\n'),
  });
}

/** A local daemon answers within milliseconds, a busy one within a second. */
const HEALTH_TIMEOUT_MS = 2_000;

/**
 * Reads the health of the daemon that uses this state directory. Resolves to undefined if no daemon
 * answers.
 */
export async function findDaemonHealth(state: string, signal: AbortSignal): Promise<HealthView | undefined> {
  // Imported late, because `legion status` loads the endpoints while it waits for the daemon's
  // response.
  const { adminEndpoints } = await import('../protocol/endpoints/admin.ts');
  try {
    return await createDaemonClient(state, signal).call(adminEndpoints.health, {
      timeoutMs: HEALTH_TIMEOUT_MS,
    });
  } catch (error) {
    if (error instanceof LegionError) return undefined;
    throw error;
  }
}
