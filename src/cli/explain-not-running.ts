/** Says what is still there of a legion without a daemon: its workers, and a halt for the next daemon. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { HALT_FILE } from '../protocol/halt-file.ts';
import { findLeftWorkers } from './left-workers.ts';
import type { CommandSession } from './program/daemon-command.ts';

/** `next`: what to do if neither workers nor a halt are left. */
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
  const { place, context } = session;
  const left = await findLeftWorkers(place.state, place.resolved.config.legion, context.env);
  const workers = left.map(({ worker, pid }) => `${worker} (pid ${pid})`);
  const halt = existsSync(join(place.state, HALT_FILE))
    ? ['The legion is halted: after `legion up` no worker starts until `legion resume`.']
    : [];
  if (workers.length === 0) return new LegionError(code, message, { next: [next, ...halt].join('\n') });
  const advice = '`legion up` takes over its workers; `legion stop --all` stops them without a daemon.';
  return new LegionError(code, `${message}; its workers still run: ${workers.join(', ')}`, {
    next: [advice, ...halt].join('\n'),
  });
}
