/**
 * Tests commands to a running daemon whose `legion.yaml` has become invalid. The commands find the
 * daemon as long as the `legion` key is readable.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HEALTH, INBOX, ISSUE, STATE, WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const said = { says: 'So it is.' };
const UNKNOWN_KEY = 'legion: shop\nworkerz: 3\n';

let daemon: WireDaemon;
beforeAll(async () => {
  daemon = await openWireDaemon(home.state, {
    'GET /health': HEALTH,
    'GET /issues': [ISSUE],
    'GET /inbox': [INBOX],
    'GET /workers': [WORKER],
    'POST /halt': { ...said, stopped: [WORKER.id], merging: [] },
    'POST /resume': said,
    'POST /restart': said,
    'DELETE /workers/shop-1-implement': { ...said, held: true },
    'GET /status': { daemon: HEALTH, waiting: 1, isOutdated: false, issues: [STATE] },
  });
});
afterAll(async () => {
  await daemon.close();
  home.remove();
});

test.each(['halt', 'halt --legion shop', 'stop --all', 'stop SHOP-1', 'status', 'inbox', 'resume'])(
  'with an invalid legion.yaml, `legion %s` reaches the daemon and shows the problem in the file',
  async (line) => {
    writeLegionFile(home.repository, UNKNOWN_KEY);
    const { exit, error, err } = await perform(here, ...line.split(' '));
    expect({ exit, error }).toEqual({ exit: 0, error: undefined });
    expect(err).toContain(`${join(home.repository, 'legion.yaml')}:2:1: unknown key "workerz"`);
    expect(err).toContain('The running daemon keeps the last valid configuration.');
  },
);

test.each([
  ['a syntax error', 'legion: shop\nrepos: [\n'],
  ['a tab', 'legion: shop\nlimits:\n\tworkers: 3\n'],
  ['a value of the wrong type', 'legion: shop\nport: many\n'],
  ['mutually exclusive keys', 'legion: shop\nagents: { default: { agent: scripted } }\n'],
])('`legion halt` succeeds although legion.yaml has %s', async (_, text) => {
  writeLegionFile(home.repository, text);
  expect(await perform(here, 'halt')).toMatchObject({ exit: 0, out: 'So it is.\n' });
});

test.each([
  ['no name', 'workerz: 3\n'],
  ['two names', 'legion: shop\nlegion: other\n'],
  ['an invalid name', 'legion: [shop]\n'],
])('`legion halt` rejects a legion.yaml with %s, but succeeds if --legion is given', async (_, text) => {
  writeLegionFile(home.repository, text);
  const { error } = await perform(here, 'halt');
  expect(error?.code).toMatch(/^config\./);
  expect(error?.fault.next).toContain('specify the legion with `--legion NAME`');
  expect(await perform(here, 'halt', '--legion', 'shop')).toMatchObject({ exit: 0 });
});

test('`legion restart` with an invalid legion.yaml is refused, because the new daemon would not start', async () => {
  writeLegionFile(home.repository, UNKNOWN_KEY);
  expect((await perform(here, 'restart')).error?.code).toBe('config.invalid');
  expect(daemon.heard.map(({ line }) => line)).not.toContain('POST /restart');
});

test('a file given with --config that does not exist is still an error', async () => {
  const { error } = await perform(here, 'halt', '--legion', 'shop', '--config', 'missing.yaml');
  expect(error?.code).toBe('config.missing');
});
