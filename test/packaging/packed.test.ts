/** Packs Legion as for publishing, lays the result out as an installation, and runs it with every Node of this machine. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The oldest Node that reads the launcher. */
const OLDEST_READER = 18;
const PACKED_FOLDERS = ['bin', 'dist', 'docs'];
const PACKED_FILES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];

let work = '';
let tarball = '';

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'legion-packed-'));
  const copy = join(work, 'clone');
  cpSync(ROOT, copy, { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'dir');
  await run('npm', ['pack', '--silent', '--pack-destination', work], { cwd: copy });
  tarball = join(work, `legion-${MANIFEST.version}.tgz`);
});

afterAll(() => rmSync(work, { recursive: true }));

test('the package holds the launcher, the build and the documents, and nothing else', async () => {
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
      'dist/cli/main.js',
      'docs/errors.md',
    ]),
  );
  expect(files.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([]);
});

test('an installed package says its version on every Node of this machine', async () => {
  const command = await install();
  const nodes = await readersOnPath();
  expect(nodes.length, 'Node executables on PATH').toBeGreaterThan(0);
  for (const node of nodes) {
    const { stdout, stderr } = await run(node, [command, '--version']);
    expect({ node, stdout, stderr }).toEqual({ node, stdout: `${MANIFEST.version}\n`, stderr: '' });
  }
});

/** What a clone would hold, so that the package under test has to build itself. */
function isSource(path: string): boolean {
  return !['node_modules', '.git', 'dist', 'coverage'].includes(basename(path));
}

/** Below `node_modules`, as npm does it, because Node treats files there differently: it strips no types. */
async function install(): Promise<string> {
  const modules = join(work, 'installed/node_modules');
  mkdirSync(join(modules, 'legion'), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', join(modules, 'legion')]);
  for (const name of Object.keys(MANIFEST.dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
  symlinkSync('../legion/bin/legion.js', join(modules, '.bin/legion'));
  return join(modules, '.bin/legion');
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
