/** Builds Legion into its own directory and starts it with its launcher, like an installed copy. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { DaemonFile } from '../../src/protocol/state-files.ts';
import type { BenchLegion } from './legion.ts';

export interface InstalledLegion {
  readonly launcher: readonly [string, string];
  /**
   * Runs `legion up` and resolves when the daemon is ready. The daemon ends when the legion is
   * disposed of.
   */
  up(): Promise<DaemonFile & { readonly token: string }>;
  down(): Promise<void>;
}

/** Ten times as long as a build takes on a busy machine. */
const BUILD_DEADLINE_MS = 120_000;
/** Time limit for `legion up`, which itself gives up on a daemon earlier than this. */
const UP_DEADLINE_MS = 60_000;

export async function install(legion: BenchLegion, signal: AbortSignal): Promise<InstalledLegion> {
  const folder = join(legion.folder, 'installed');
  const root = join(import.meta.dirname, '../..');
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.ts')], {
    signal,
    timeout: BUILD_DEADLINE_MS,
  });
  // The launcher uses the bundle if there are no sources beside it.
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  const launcher = [process.execPath, join(folder, 'bin/legion.js')] as const;
  return {
    launcher,
    async up() {
      await run(legion, [...launcher, 'up'], signal);
      const { state } = legion;
      const file = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as DaemonFile;
      return { ...file, token: readFileSync(join(state, 'token'), 'utf8').trim() };
    },
    down: () => run(legion, [...launcher, 'down'], signal),
  };
}

function run(
  { repository, environment }: BenchLegion,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: repository,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
    signal,
    timeout: UP_DEADLINE_MS,
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, stoppedBy) =>
      code === 0 ? resolve() : reject(new Error(`legion ${args[1]} exited with ${code ?? stoppedBy}.`)),
    );
  });
}
