/**
 * `npm run test:agents`: installs the real agent programs into their own directory, then runs the
 * tests that need them. `--install` only installs, and `--long` adds the slow tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ROOT = dirname(import.meta.dirname);
const FOLDER = join(ROOT, 'real-agents');

/** Downloads about 1 GB on the first run, so the agents are not part of the ordinary install. */
function install(): number {
  if (isInstalled()) return 0;
  console.log('installing the agents into real-agents/node_modules, about 1 GB');
  const options = ['install', '--no-save', '--no-audit', '--no-fund', '--no-package-lock'];
  return run('npm', [...options, '--prefix', FOLDER]);
}

/** Returns whether the versions that the tests were written for are installed. */
function isInstalled(): boolean {
  const { dependencies } = readManifest(FOLDER) as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    const folder = join(FOLDER, 'node_modules', name);
    return existsSync(folder) && (readManifest(folder) as { version: string }).version === version;
  });
}

function readManifest(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function run(program: string, args: readonly string[], added: Record<string, string> = {}): number {
  const env = { ...process.env, ...added };
  const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env });
  if (error !== undefined) console.error(error.message);
  return status ?? 1;
}

const LONG = '--long';
const given = process.argv.slice(2);
const wanted = given.filter((each) => each !== LONG);
const installed = install();
process.exitCode =
  installed === 0 && !wanted.includes('--install')
    ? run(
        'npx',
        ['vitest', 'run', '--config', 'real-agents/vitest.config.ts', ...wanted],
        given.includes(LONG) ? { LEGION_TEST_EFFORT: 'long' } : {},
      )
    : installed;
