/**
 * Tests `legion open` against a real daemon with the built dashboard. The printed address logs in
 * one browser and works only once.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listBrowserCommands } from '../../../src/cli/dashboard.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const home = newHome();
const seen = join(home.folder, 'seen.json');
const program = join(home.folder, 'browser.mjs');
/** Hides the display and the browser of the person who runs the tests. */
const env = { ...home.env, BROWSER: '', DISPLAY: '', WAYLAND_DISPLAY: '' };
const here = { cwd: home.repository, env };
let url = '';

beforeAll(async () => {
  makeRepository(home.repository);
  writeLegionFile(home.repository);
  // A browser that records its arguments.
  const lines = [
    `import { writeFileSync } from 'node:fs';`,
    `writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.argv.slice(2)));`,
  ];
  writeFileSync(program, lines.join('\n'));
  const { stdout } = await legionIn(here, 'up');
  expect(stdout).toContain('\nRun `legion open` to open the dashboard.\n');
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(stdout)?.[0] ?? '';
  await perform(here, 'issue', 'add', 'Sell it');
});
beforeEach(() => rmSync(seen, { force: true }));
afterAll(async () => {
  await perform(here, 'down');
  home.remove();
});

function browser(...words: string[]): string {
  return [process.execPath, program, ...words].join(' ');
}

async function enter(address: string): Promise<Response> {
  const code = new URL(address).hash.replace('#enter=', '');
  return fetch(`${url}/session`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ code: decodeURIComponent(code) }),
  });
}

test('prints an address that opens the dashboard and can log in only one browser', async () => {
  const { code, stdout, stderr } = await legionIn(here, 'open', '--print');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [address = '', says] = stdout.split('\n');
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/ui\/#enter=[\w-]{22}$/);
  expect(says).toBe('This URL is good for one minute and one use.');

  const page = await fetch(address);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.status, 'the dashboard is built').toBe(200);
  expect((await enter(address)).status).toBe(201);
  expect((await enter(address)).status).toBe(401);
});

test('passes the address to the user’s browser as one argument, in place of `%s` if the browser command contains that placeholder', async () => {
  const asUsual = { ...here, env: { ...env, BROWSER: browser() } };
  const { out } = await perform(asUsual, 'open', 'SHOP-1');
  expect(out).toBe(`${url}/ui/issues/SHOP-1 is open in your browser.\n`);
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual([
    expect.stringMatching(/^http:\S+\/ui\/issues\/SHOP-1#enter=[\w-]{22}$/),
  ]);

  const withPlace = {
    ...here,
    env: { ...env, BROWSER: `/nowhere/browser:${browser('--url', '%s', '; exit 7')}` },
  };
  const { out: json } = await perform(withPlace, 'open', 'inbox', '--json');
  const { url: address, opened, expiresAt } = JSON.parse(json);
  expect(opened).toBe(true);
  expect(address).toContain('/ui/inbox#enter=');
  expect(expiresAt).toBeGreaterThan(Date.now());
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual(['--url', address, ';', 'exit', '7']);
});

test('prints the address if no browser can be started or --print is given', async () => {
  const failing = { ...here, env: { ...env, BROWSER: '/nowhere/browser:false' } };
  const { out } = await perform(failing, 'open', 'fleet');
  expect(out).toMatch(/^http:\S+\/ui\/fleet#enter=\S+\nThis URL is good for one minute and one use.\n$/);
  const { out: printed } = await perform({ ...here, env: { ...env, BROWSER: browser() } }, 'open', '--print');
  expect(printed).toContain('#enter=');
  expect(() => readFileSync(seen)).toThrow('ENOENT');
});

test('refuses an unknown page or issue before it requests a login code', async () => {
  expect((await perform(here, 'open', 'SHOP-99')).error?.code).toBe('tracker.issue_unknown');
  for (const page of ['../health', 'https://evil.example', '']) {
    expect((await perform(here, 'open', page)).error?.code, page).toBe('id.invalid');
  }
});

test.each<[string, Record<string, string>, string, readonly (readonly string[])[]]>([
  ['an X11 display', { DISPLAY: ':0' }, 'linux', [['xdg-open', 'http://x/#enter=a']]],
  ['a Wayland display', { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', [['xdg-open', 'http://x/#enter=a']]],
  ['no display', {}, 'linux', []],
  ['macOS', {}, 'darwin', [['open', 'http://x/#enter=a']]],
  ['BROWSER set', { BROWSER: 'w3m', DISPLAY: ':0' }, 'linux', [['w3m', 'http://x/#enter=a']]],
])('lists the browser programs to try: %s', (_, given, platform, expected) => {
  expect(listBrowserCommands('http://x/#enter=a', given, platform)).toEqual(expected);
});
