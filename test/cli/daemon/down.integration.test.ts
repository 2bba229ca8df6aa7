/** What `legion down` says about workers: only about those that run, and only what is true of their issues. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { STATE, WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { startAtTerminal } from '../support/terminal.ts';
import { announce, openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const exit = { code: 0, signal: null, at: 3_000 };

let daemon: WireDaemon;
/** The process whose end means the end of the daemon. */
let stays: ChildProcess;

beforeAll(() => writeLegionFile(home.repository));
afterEach(async () => {
  stays.kill();
  await daemon.close();
});
afterAll(() => home.remove());

test('a worker whose process has exited is neither listed nor stopped', async () => {
  await open([{ ...WORKER, hasExited: true, exit }], {});
  const { out } = await perform(here, 'down', '--stop');
  expect(out).toMatch(/^shop has ended \(pid \d+\)\.\nNo worker was running\.\n$/);
});

test('stopped workers continue later, except those of finished issues', async () => {
  const ofDone = {
    ...WORKER,
    id: 'shop-2-implement',
    issue: 'SHOP-2',
    status: 'stopped',
    stopping: { since: 1, graceEndsAt: 2 },
  };
  const issues = { 'SHOP-1': STATE, 'SHOP-2': { ...STATE, id: 'SHOP-2', status: 'Done' } };
  await open([WORKER, ofDone], issues);
  const { out } = await perform(here, 'down', '--stop');
  expect(out).toContain(
    'Stopped: shop-1-implement. Its session continues after the next `legion up`.\n' +
      'Stopped for good, because the issue is finished: shop-2-implement.\n',
  );
  expect(daemon.heard.map(({ line }) => line)).toContainEqual(expect.stringMatching('shutdown.workers=stop'));
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at the question stops nothing and says so', async (_, key) => {
  await open([WORKER], {});
  const down = startAtTerminal(home, 'down');
  await down.press('What should happen to this worker?', key);
  expect(await down.exited).toBe(1);
  expect(down.output()).toContain('nothing was stopped; the daemon still runs [usage.cancelled]');
  expect(down.output()).not.toContain('Warning');
  expect(daemon.heard.map(({ line }) => line)).not.toContainEqual(expect.stringContaining('shutdown'));
});

async function open(workers: readonly unknown[], issues: object): Promise<void> {
  stays = spawn('sleep', ['60']);
  await once(stays, 'spawn');
  daemon = await openWireDaemon(home.state, {
    'GET /workers': workers,
    'POST /state/fetch-and-collect': { issues, at: 1 },
    'POST /shutdown': () => {
      stays.kill();
      return { says: 'It ends.' };
    },
  });
  const socket = `${home.state}/daemon.sock`;
  const address = { legion: 'shop', url: 'http://127.0.0.1:1', socket, startedAt: 1, version: '0.1.0' };
  announce(home.state, { ...address, pid: stays.pid });
}
