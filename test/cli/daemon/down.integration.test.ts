/**
 * Tests what `legion down` reports about workers: it lists only running workers, and says whether
 * they will continue later.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { STATE, WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { startAtTerminal } from '../support/terminal.ts';
import { announce, openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const exit = { code: 0, signal: null, at: 3_000 };

let daemon: WireDaemon;
/**
 * Stands in for the daemon process. When it exits, the command concludes that the daemon has
 * exited.
 */
let stays: ChildProcess;

beforeAll(() => writeLegionFile(home.repository));
afterEach(async () => {
  stays.kill();
  await daemon.close();
});
afterAll(() => home.remove());

test('`legion down --stop` neither lists nor stops a worker whose process has exited', async () => {
  await open([{ ...WORKER, hasExited: true, exit }], {});
  const { out } = await perform(here, 'down', '--stop');
  expect(out).toMatch(/^shop has stopped \(pid \d+\)\.\nNo workers were running\.\n$/);
});

test('`legion down --stop` says that stopped workers continue after the next `legion up`, except those of finished issues', async () => {
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

test.for([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
] as const)(
  'if a person presses %s when `legion down` asks for confirmation, nothing is stopped, and the output says so',
  async ([, key], context) => {
    skipWithoutProgram(context, 'script');
    await open([WORKER], {});
    const down = startAtTerminal(home, 'down');
    await down.press('What should happen to this worker?', key);
    expect(await down.exited).toBe(1);
    expect(down.output()).toContain('Nothing was stopped. The daemon is still running. [usage.cancelled]');
    expect(down.output()).not.toContain('Warning');
    expect(daemon.heard.map(({ line }) => line)).not.toContainEqual(expect.stringContaining('shutdown'));
  },
);

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
