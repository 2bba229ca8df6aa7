/**
 * Checks that the launcher finds a Node version that is recent enough, and passes on signals and
 * exit codes.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/core/model/fault.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/legion.js');
const BUNDLED_NODE = dirname(createRequire(import.meta.url).resolve('node/package.json'));

/**
 * Makes the current Node report a version from 2022. The Node that the launcher then starts does
 * not get this flag.
 */
const PRETEND_OLD = [
  '--import',
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.0.0"}})',
];

/** A stand-in for Legion that does what its arguments request. */
const MAIN = `
export async function main([what, value]) {
  if (what === 'exit') return Number(value);
  if (what === 'show') {
    console.log(process.versions.node, process.env.LEGION_RELAUNCHED ?? 'clean');
    return 0;
  }
  const alive = setInterval(() => {}, 1000);
  if (what === 'die') process.kill(process.pid, value);
  const signal = await new Promise((resolve) => {
    if (what === 'wait') process.on(value, resolve);
    console.log('ready');
  });
  clearInterval(alive);
  console.log('got', signal);
  return 7;
}
`;

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'legion-launcher-'));
  for (const folder of ['bin', 'dist/cli', 'node_modules'])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, 'dist/cli/main.js'), MAIN);
  cpSync(LAUNCHER, join(home, 'bin/legion.js'));
  symlinkSync(BUNDLED_NODE, join(home, 'node_modules/node'), 'dir');
});

afterEach(() => rmSync(home, { recursive: true }));

describe('launcher on a platform other than Linux', () => {
  test.each([
    ['darwin', 'macOS'],
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ])('%s: exits with the fault from the error catalogue, whatever the command', async (platform, name) => {
    const pretend = [
      '--import',
      `data:text/javascript,Object.defineProperty(process,"platform",{value:"${platform}"})`,
    ];
    const { next } = CATALOGUE['platform.unsupported'];
    for (const args of [['--version'], ['exit', '0']]) {
      expect(await ended(launch(pretend, args))).toEqual({
        code: 1,
        signal: null,
        out: '',
        complaint: `legion: Legion runs on Linux and WSL2, not yet on ${name}. [platform.unsupported]\n${next}\n`,
      });
    }
  });
});

describe('launcher on a recent enough Node', () => {
  test('runs Legion in the same process and returns its exit code', async () => {
    expect(await ended(launch([], ['exit', '3']))).toEqual({ code: 3, signal: null, out: '', complaint: '' });
  });

  test('prefers the sources of a clone to an earlier build', async () => {
    mkdirSync(join(home, 'src/cli'), { recursive: true });
    writeFileSync(join(home, 'src/cli/main.ts'), 'export const main = async (): Promise<number> => 9;');
    expect(await ended(launch([], []))).toMatchObject({ code: 9, complaint: '' });
  });

  test('prints the next step if nothing was built', async () => {
    rmSync(join(home, 'dist'), { recursive: true });
    expect(await ended(launch([], []))).toEqual({
      code: 1,
      signal: null,
      out: '',
      complaint: `legion: dist/cli/main.js is missing in ${home}; install Legion again, or run \`npm run build\` in a clone\n`,
    });
  });

  test('prints the next step in a clone whose packages are not installed', async () => {
    mkdirSync(join(home, 'src/cli'), { recursive: true });
    writeFileSync(join(home, 'src/cli/main.ts'), `export const main = () => import('not-there');`);
    expect(await ended(launch([], []))).toMatchObject({
      code: 1,
      complaint: `legion: Cannot find package 'not-there' imported from ${join(home, 'src/cli/main.ts')}; run \`npm install --include=dev\` in a clone, or install Legion again\n`,
    });
  });
});

describe('launcher on an old Node', () => {
  test('runs Legion with the bundled Node and leaves no trace in its environment', async () => {
    const { out } = await ended(launch(PRETEND_OLD, ['show']));
    expect(out).toMatch(/^2\d\.\d+\.\d+ clean\n$/);
  });

  test("returns Legion's exit code", async () => {
    expect(await ended(launch(PRETEND_OLD, ['exit', '3']))).toMatchObject({ code: 3, signal: null });
  });

  test.each(['SIGKILL', 'SIGTERM'])('exits with signal %s if that signal killed Legion', async (signal) => {
    expect(await ended(launch(PRETEND_OLD, ['die', signal]))).toMatchObject({ code: null, signal });
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'forwards %s and waits for Legion to exit',
    async (signal) => {
      const launcher = launch(PRETEND_OLD, ['wait', signal]);
      await once(launcher.stdout, 'data');
      launcher.kill(signal);
      expect(await ended(launcher)).toMatchObject({ code: 7, signal: null, out: `got ${signal}\n` });
    },
  );

  test('prints the next step if the bundled Node is missing', async () => {
    rmSync(join(home, 'node_modules/node'));
    expect(await ended(launch(PRETEND_OLD, []))).toEqual(
      failure('the one that comes with Legion is missing'),
    );
  });

  test('prints the next step if the bundled Node cannot be run', async () => {
    const executable = plantBundledNode('no program');
    expect(await ended(launch(PRETEND_OLD, []))).toEqual(
      failure(`${executable} failed to start (spawn ${executable} EACCES)`),
    );
  });

  test('does not restart itself endlessly if the bundled Node is old too', async () => {
    const quoted = [process.execPath, ...PRETEND_OLD].map((part) => `'${part}'`).join(' ');
    plantBundledNode(`#!/bin/sh\nexec ${quoted} "$@"\n`, 0o755);
    expect(await ended(launch(PRETEND_OLD, []))).toEqual(
      failure('the one that comes with Legion is too old as well'),
    );
  });
});

function launch(flags: readonly string[], args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...flags, join(home, 'bin/legion.js'), ...args]);
}

async function ended(child: ChildProcessWithoutNullStreams) {
  let out = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, complaint };
}

function failure(reason: string) {
  const next = 'install Node 24, or run `npm rebuild node` where Legion is installed';
  const complaint = `legion: needs Node 24 or newer; this is Node 18.0.0, and ${reason}; ${next}\n`;
  return { code: 1, signal: null, out: '', complaint };
}

function plantBundledNode(content: string, mode = 0o644): string {
  const folder = join(home, 'node_modules/node');
  rmSync(folder);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "bin": { "node": "node-of-today" } }');
  writeFileSync(join(folder, 'node-of-today'), content, { mode });
  return join(folder, 'node-of-today');
}
