/** What Ctrl-C does to the daemon that `legion up` has started: it is stopped, or the person is told how to stop it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { CommandContext } from '../../command.ts';

/** A daemon that is still opening its journal or its board ends only after that. */
const STOP_MS = 10_000;

/** A person who interrupts a start wants no daemon; nothing depends on it yet. */
export async function stopInterrupted(
  child: ChildProcess,
  legion: string,
  { stderr }: CommandContext,
): Promise<void> {
  if (child.pid === undefined) return;
  const ended = await stop(child);
  stderr.write(
    ended
      ? `Interrupted. The daemon of ${legion} (pid ${child.pid}) has been stopped.\n`
      : `Interrupted. The daemon of ${legion} (pid ${child.pid}) is still stopping; \`kill ${child.pid}\` ends it.\n`,
  );
}

async function stop(child: ChildProcess): Promise<boolean> {
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  if (hasEnded()) return true;
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(STOP_MS) });
  child.kill('SIGTERM');
  await exited.catch(() => undefined); // too slow: the exit status tells
  return hasEnded();
}

/** Once it is ready others may already use it: an interruption leaves it running and says so. */
export async function reportWhenInterrupted<T>(
  daemon: { readonly legion: string; readonly pid: number },
  { signal, stderr }: CommandContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) stderr.write(`Interrupted. ${stillRunning(daemon)}\n`);
    throw error;
  }
}

export function stillRunning({ legion, pid }: { readonly legion: string; readonly pid: number }): string {
  return `${legion} is still running (pid ${pid}). Stop it with: legion down --legion ${legion}`;
}
