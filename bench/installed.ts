/** Legion as those have it who have installed it: built now, in a folder of its own, started by its launcher. */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DaemonFile } from '../src/protocol/daemon-file.ts';
import type { BenchLegion } from './legion.ts';

export interface Installed {
  readonly launcher: readonly [string, string];
  /** `legion up`; resolves when it is ready. */
  up(): Promise<DaemonFile & { readonly token: string }>;
  down(): Promise<void>;
}

export function install(legion: BenchLegion): Installed {
  const folder = join(legion.folder, 'installed');
  const root = join(import.meta.dirname, '..');
  execFileSync(process.execPath, [join(root, 'scripts/build.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Without the source beside it the launcher takes the bundle.
  for (const part of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  const launcher = [process.execPath, join(folder, 'bin/legion.js')] as const;
  return {
    launcher,
    async up() {
      await run(legion, [...launcher, 'up']);
      const { XDG_STATE_HOME = '' } = legion.environment;
      const state = join(XDG_STATE_HOME, 'legion/legions/bench');
      const file = JSON.parse(readFileSync(join(state, 'daemon.json'), 'utf8')) as DaemonFile;
      return { ...file, token: readFileSync(join(state, 'token'), 'utf8').trim() };
    },
    down: () => run(legion, [...launcher, 'down']),
  };
}

function run({ repository, environment }: BenchLegion, argv: readonly string[]): Promise<void> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    cwd: repository,
    env: { ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`legion ${args[1]} ended with ${code}`)),
    );
  });
}
