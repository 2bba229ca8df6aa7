/** Tests windows of a real tmux with a program that records how it was started. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTmuxTerminals, type TmuxTerminalsOptions } from '../../src/terminals/tmux-terminals.ts';
import { skipWithoutProgram } from '../support/required-program.ts';
import { until } from '../support/running-daemon.ts';
import { type PrivateServer, privateServer } from './private-server.ts';

const SHOP_1 = { issue: 'SHOP-1', mode: 'implement' } as const;
const SECRET = 'a-secret-of-the-daemon';

let server: PrivateServer;
let folder: string;
beforeEach(() => {
  server = privateServer();
  // The directory name contains shell code, because directory names are untrusted text too.
  folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'legion-views-'))), '#(touch hacked);');
  mkdirSync(folder);
  writeFileSync(join(folder, 'legion.yaml'), 'legion: shop\n');
  const program = `require('node:fs').writeFileSync('started.json', JSON.stringify({ argv: process.argv.slice(2), env: process.env, cwd: process.cwd() }));
    setTimeout(() => {}, 60_000);`;
  writeFileSync(join(folder, 'program.cjs'), program);
});
afterEach(async () => {
  await server.dispose();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

function views(given: Partial<TmuxTerminalsOptions> = {}) {
  const { PATH = '' } = process.env;
  return createTmuxTerminals({
    legion: 'acme/5',
    shortId: 'shop',
    file: { path: join(folder, 'legion.yaml'), named: true },
    launcher: [process.execPath, join(folder, 'program.cjs')],
    environment: { PATH, HOME: folder, GH_TOKEN: SECRET, TMUX: '/nowhere/socket,1,0', ...server.environment },
    ...given,
  });
}

test('a worker has one window, however often it is opened, even concurrently', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const opened = await Promise.all([views().open(SHOP_1), views().open({ issue: 'SHOP-2', mode: 'plan' })]);
  const again = await views().open(SHOP_1);
  expect(again).toEqual(opened[0]);
  expect(server.windows().toSorted()).toEqual([
    'legion-shop-controller:implement-shop-1',
    'legion-shop-controller:plan-shop-2',
  ]);
  expect((await views().list()).map(({ name }) => name).toSorted()).toEqual([
    'implement-shop-1',
    'plan-shop-2',
  ]);
});

test('reuses a window whose name, given by an earlier version, contains the issue id in upper case', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const command = ['--', 'sleep', '60'];
  server.tmux('new-session', '-d', '-s', 'legion-shop-controller', '-n', 'implement-SHOP-1', ...command);
  expect(await views().open(SHOP_1)).toMatchObject({ name: 'implement-SHOP-1' });
  expect(server.windows()).toEqual(['legion-shop-controller:implement-SHOP-1']);
});

test('legions with similar names have separate sessions', async (context) => {
  skipWithoutProgram(context, 'tmux');
  await views({ shortId: undefined, legion: 'acme/5' }).open(SHOP_1);
  await views({ shortId: undefined, legion: 'acme_5' }).open(SHOP_1);
  expect(server.windows()).toHaveLength(2);
  expect(server.windows()).toContain('legion-acme_5-controller:implement-shop-1');
  expect(await views({ shortId: 'acme' }).list()).toEqual([]);
});

test("a window runs `legion view` with the variables it needs and none of the daemon's secrets", async (context) => {
  skipWithoutProgram(context, 'tmux');
  await views().open({ issue: 'a.b:c', mode: 'test' });
  const path = join(folder, 'started.json');
  await until(async () => existsSync(path) && readFileSync(path, 'utf8') !== '', Boolean);
  const started = JSON.parse(readFileSync(path, 'utf8')) as { argv: string[]; env: object; cwd: string };
  const config = join(folder, 'legion.yaml');
  expect(started.argv).toEqual([
    ...['view', 'a.b:c', 'test', '--leave-after', '60', '--legion', 'acme/5', '--config', config],
  ]);
  expect(started.cwd).toBe(folder);
  expect(started.env).toMatchObject({ HOME: folder });
  expect(JSON.stringify(started.env)).not.toContain(SECRET);
  expect(server.windows()).toEqual([
    expect.stringMatching(/^legion-shop-controller:test-a_b_c-[0-9a-f]{8}$/),
  ]);
  expect(existsSync(join(folder, 'hacked'))).toBe(false);
  // A window that a person opens on the same server must not get the secret either.
  expect(server.tmux('show-environment', '-g')).not.toContain(SECRET);
});

test('reports that terminals are unavailable if tmux is missing', async () => {
  const environment = { PATH: folder, HOME: folder, ...server.environment };
  await expect(views({ environment }).open(SHOP_1)).rejects.toMatchObject({
    code: 'view.unavailable',
    message: 'tmux is not installed, or not on the PATH',
  });
});

test('opens no window if the window list is unreadable, because the window may already exist', async () => {
  const told = join(folder, 'told');
  writeFileSync(join(folder, 'tmux'), `#!/bin/sh\necho "$1" >> '${told}'\necho 'lost server' >&2\nexit 1\n`);
  chmodSync(join(folder, 'tmux'), 0o755);
  const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...server.environment };
  await expect(views({ environment }).open(SHOP_1)).rejects.toMatchObject({
    code: 'view.unavailable',
    message: 'tmux list-windows: "lost server"',
  });
  expect(readFileSync(told, 'utf8')).toBe('list-windows\n');
});

test('stops waiting for an unresponsive tmux when the daemon exits', async () => {
  writeFileSync(join(folder, 'tmux'), '#!/bin/sh\nexec sleep 60\n');
  chmodSync(join(folder, 'tmux'), 0o755);
  const environment = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...server.environment };
  const ending = new AbortController();
  const opened = views({ environment }).open(SHOP_1, ending.signal);
  ending.abort();
  await expect(opened).rejects.toMatchObject({ code: 'view.unavailable' });
});
