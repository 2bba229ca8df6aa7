/**
 * Tests `legion attach` in a real terminal, which is a window of a second tmux server. The test
 * plays the daemon.
 */
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../../src/cli/main.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { until } from '../../support/running-daemon.ts';
import { type PrivateServer, privateServer } from '../../terminals/private-server.ts';
import { WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const SESSION = 'legion-shop-controller';
const PLANNER = { ...WORKER, id: 'shop-1-plan', mode: 'plan', status: 'finished' } as const;

const home = newHome();
writeLegionFile(home.repository);
afterAll(() => home.remove());

let server: PrivateServer;
/** The tmux server that stands in for the person's terminal. */
let desk: PrivateServer;
let daemon: WireDaemon;
beforeEach(async () => {
  server = privateServer();
  desk = privateServer();
  daemon = await openWireDaemon(home.state, {
    'GET /workers': [WORKER, PLANNER],
    'GET /workers/shop-1-implement': WORKER,
    'GET /workers/shop-1-plan': PLANNER,
    'GET /workers/shop-1-implement/logs': logs(WORKER.id, 'I build it.'),
    'GET /workers/shop-1-plan/logs': logs(PLANNER.id, 'I planned it.'),
  });
});
afterEach(async () => {
  await desk.dispose();
  await server.dispose();
  await daemon.close();
});

function logs(worker: string, says: string): () => object {
  const text = `${JSON.stringify({ type: 'text', text: says })}\n`;
  const isFirst = () => daemon.heard.at(-1)?.line.includes('offset=0&') === true;
  const rest = () => (isFirst() ? { offset: 0, text } : { offset: text.length, text: '' });
  return () => ({ worker, attempt: 2, ...rest(), nextOffset: text.length, more: false });
}

/** Runs the command in its own window, which stays open after the command has ended. */
function typeAt(where: PrivateServer, ...args: string[]): string {
  const env = { ...home.env, ...server.environment };
  const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const name = `at-${args.join('-')}`;
  const command = [process.execPath, LAUNCHER, ...args];
  const what = [
    '-n',
    name,
    '-c',
    home.repository,
    ...given,
    '--',
    'sh',
    '-c',
    '"$@"; echo "exit $?"; exec sleep 60',
    'sh',
    ...command,
  ];
  if (where.windows().length === 0)
    where.tmux('new-session', '-d', '-s', 'desk', '-x', '150', '-y', '40', ...what);
  else where.tmux('new-window', ...what);
  return name;
}

const lookedAt = () => server.tmux('list-clients', '-F', '#{session_name}:#{window_name}').trim();

test("attaches the terminal to the worker's window, opens the window if it does not exist, and leaves it open at the end", async (context) => {
  skipWithoutProgram(context, 'tmux');
  const terminal = typeAt(desk, 'attach', 'shop-1');
  await desk.shows(terminal, 'I build it.');
  expect(lookedAt()).toBe(`${SESSION}:implement-shop-1`);
  desk.tmux('send-keys', '-t', terminal, 'C-b', 'd');
  await desk.shows(terminal, 'exit 0');
  expect(server.windows()).toEqual([`${SESSION}:implement-shop-1`]);

  const whole = typeAt(desk, 'attach');
  await desk.shows(whole, 'I build it.');
  await until(
    async () => lookedAt(),
    (window) => window === `${SESSION}:implement-shop-1`,
  );
});

test('switches to the worker’s window if the person is inside the same tmux', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const terminal = typeAt(desk, 'attach', 'shop-1', 'implement');
  await desk.shows(terminal, 'I build it.');
  typeAt(server, 'attach', 'SHOP-1', 'plan');
  await until(
    async () => lookedAt(),
    (window) => window === `${SESSION}:plan-shop-1`,
  );
  await desk.shows(terminal, 'I planned it.');
});

test('fails if no issue is given and no window is open', async (context) => {
  skipWithoutProgram(context, 'tmux');
  const terminal = typeAt(desk, 'attach');
  await desk.shows(terminal, '[view.unavailable]');
  expect(await desk.shows(terminal, 'exit 1')).toContain(`The session ${SESSION} has no open windows`);
});

test('fails without a terminal and recommends an alternative', async () => {
  for (const args of [['SHOP-1'], []]) {
    const { error } = await perform({ cwd: home.repository, env: home.env }, 'attach', ...args);
    expect(error).toMatchObject({ code: 'view.no_terminal' });
    expect(error?.fault.next).toContain('legion view ISSUE');
  }
  expect(server.windows()).toEqual([]);
});

test('shows the worker in this terminal if tmux is missing, and says why', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 24 });
  const stderr = new PassThrough();
  let shown = '';
  for (const stream of [stdout, stderr]) stream.on('data', (chunk) => (shown += chunk));
  const env = { ...home.env, PATH: home.folder };
  const { signal } = new AbortController();
  const ended = runCommand(['attach', 'SHOP-1'], {
    cwd: home.repository,
    env,
    stdin,
    stdout,
    stderr,
    signal,
  });
  await until(
    async () => shown,
    (text) => text.includes('I build it.'),
  );
  expect(shown).toContain(
    'legion: tmux is not installed, or not on the PATH\nShowing the worker in this terminal instead.',
  );
  stdin.write('/quit\r');
  expect(await ended).toBe(0);
});
