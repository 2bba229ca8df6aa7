/**
 * Packs Legion as for publishing, installs the result, and runs it with every Node version on this
 * machine.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { parseSync } from 'oxc-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The oldest Node version that can parse the launcher. */
const OLDEST_READER = 18;
const AUTHOR = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
const PACKED_FOLDERS = ['bin', 'dist', 'docs', 'skills'];
const PACKED_FILES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];

let work = '';
let tarball = '';
let command = '';

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'legion-packed-'));
  const copy = join(work, 'clone');
  cpSync(ROOT, copy, { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir');
  await run('npm', ['pack', '--silent', '--pack-destination', work], { cwd: copy });
  tarball = join(work, `legion-${MANIFEST.version}.tgz`);
  command = await install();
});

afterAll(() => rmSync(work, { recursive: true }));

test('the package contains only the launcher, the build, the documents and the skills', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  const folders = new Set(files.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
  expect([...folders].sort()).toEqual(PACKED_FOLDERS);
  expect(files.filter((path) => !path.includes('/') && !PACKED_FILES.includes(path))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining([
      'package.json',
      'LICENSE',
      'bin/legion.js',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/cli/main.js',
      'dist/cli/main.js.map',
      'dist/web/index.html',
      'docs/errors.md',
      'skills/legion-worker/SKILL.md',
      'skills/legion-worker/workflows/merge.md',
    ]),
  );
  expect(files.filter((path) => path.endsWith('.ts'))).toEqual([]);
});

test('installing the package installs only Legion and Node', () => {
  expect(Object.keys(MANIFEST.dependencies)).toEqual(['node']);
});

test('an installed package prints its version on every Node of this machine', async () => {
  const nodes = await readersOnPath();
  expect(nodes.length, 'Node executables on PATH').toBeGreaterThan(0);
  for (const node of nodes) {
    const { stdout, stderr } = await run(node, [command, '--version']);
    expect({ node, stdout, stderr }).toEqual({ node, stdout: `${MANIFEST.version}\n`, stderr: '' });
  }
});

test('an installed package finds its skills', async () => {
  const { stdout } = await run(process.execPath, [command, 'skills', 'list', '--json'], {
    env: environment(),
  });
  const names = (JSON.parse(stdout).skills as { name: string }[]).map(({ name }) => name);
  expect(names).toContain('legion-worker');
});

test('an installed package creates a legion, starts its daemon as a separate process, and stops it', async () => {
  const repository = join(work, 'repository');
  await run('git', ['init', '--quiet', '--initial-branch=main', repository]);
  await run('git', [...AUTHOR, '-C', repository, 'commit', '--quiet', '--allow-empty', '--message=first']);
  const legion = async (...args: readonly string[]) =>
    (await run(process.execPath, [command, ...args], { cwd: repository, env: environment() })).stdout;

  const agents = join(work, 'agents');
  mkdirSync(agents);
  writeFileSync(join(agents, 'codex'), '#!/bin/sh\necho codex-cli 1.2.3\n', { mode: 0o755 });
  await legion('init', '--agent', 'codex');
  const { url, legion: name } = JSON.parse(await legion('up', '--json', '--yes'));
  try {
    // Uses two libraries that are loaded only on demand.
    expect(await legion('metrics')).toContain('legion_events_total');
    const token = readFileSync(join(work, 'state/legion/legions', name, 'token'), 'utf8').trim();
    const page = await fetch(`${url}/openapi.json`, { headers: { authorization: `Bearer ${token}` } });
    expect(await page.json()).toMatchObject({ info: { version: MANIFEST.version } });
  } finally {
    await legion('down');
  }
});

test('only files directly in src/cli use import.meta, because the bundle puts every file into that directory', () => {
  const asking = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return text.includes('import.meta') && parseSync(path, text).module.importMetas.length > 0;
  });
  expect(asking).not.toEqual([]);
  expect(asking.filter((path) => !/^src\/cli\/[^/]+$/.test(path))).toEqual([]);
});

/** Copies only the sources of a clone, so that the package under test has to build itself. */
function isSource(path: string): boolean {
  return !['node_modules', '.git', 'dist', 'coverage'].includes(basename(path));
}

/** Installs the package below `node_modules`, as npm does. Node does not strip types there. */
async function install(): Promise<string> {
  const modules = join(work, 'installed/node_modules');
  mkdirSync(join(modules, 'legion'), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'legion')]);
  symlinkSync(join(ROOT, 'node_modules/node'), join(modules, 'node'), 'dir');
  symlinkSync('../legion/bin/legion.js', join(modules, '.bin/legion'));
  return join(modules, '.bin/legion');
}

/** Returns an environment that takes only the PATH from the test run. */
function environment(): Record<string, string> {
  const { PATH = '' } = process.env;
  const folder = (name: string) => join(work, name);
  return {
    PATH: [join(work, 'agents'), PATH].join(delimiter),
    HOME: work,
    CODEX_API_KEY: 'of-no-worth',
    XDG_STATE_HOME: folder('state'),
    XDG_DATA_HOME: folder('data'),
    XDG_CACHE_HOME: folder('cache'),
  };
}

async function readersOnPath(): Promise<readonly string[]> {
  const { PATH = '' } = process.env;
  const found = PATH.split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path));
  const readers: string[] = [];
  for (const node of new Set(found)) {
    const { stdout } = await run(node, ['--version']);
    if (Number.parseInt(stdout.slice(1), 10) >= OLDEST_READER) readers.push(node);
  }
  return readers;
}
