/** Runs, as a real process, the script that ensures workspaces. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENSURER = fileURLToPath(new URL('ensurer.ts', import.meta.url));

export interface Ensurer {
  readonly child: ChildProcess;
  /** Resolves when the script prints its first line, just before it starts its work. */
  readonly ready: Promise<void>;
  /** The script's exit and its error output. */
  readonly ended: Promise<{
    readonly status: number | string;
    readonly said: string;
  }>;
}

export function startEnsurer(
  task: 'once' | 'over and over',
  root: string,
  repository: string,
  issues: readonly string[],
): Ensurer {
  const child = spawn(process.execPath, [ENSURER, task, root, repository, ...issues], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const ready = Promise.withResolvers<void>();
  child.stdout.once('data', () => ready.resolve());
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    ready.resolve();
    return { status: code ?? signal, said };
  });
  return { child, ready: ready.promise, ended };
}
