/**
 * Tests that `legion status` sends only one request, which asks for no more than the command shows.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { HEALTH, INBOX, STATE, WORKER } from '../support/answers.ts';
import { newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { openWireDaemon, type WireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const answer = {
  daemon: HEALTH,
  waiting: 1,
  isOutdated: false,
  issues: [STATE],
  workers: [WORKER],
  inbox: [INBOX],
};

let daemon: WireDaemon;
beforeAll(async () => {
  writeLegionFile(home.repository);
  daemon = await openWireDaemon(home.state, { 'GET /status': () => answer });
});
afterEach(() => {
  answer.isOutdated = false;
  daemon.heard.length = 0;
});
afterAll(async () => {
  await daemon.close();
  home.remove();
});

test('`legion status` requests summaries and shows them', async () => {
  const { out } = await perform(here, 'status');
  expect(daemon.heard.map(({ line }) => line)).toEqual(['GET /status']);
  expect(out).toContain('1 waiting for you: run legion inbox');
  expect(out).toMatch(/SHOP-1 {2}Retro {3}implement executing/);
});

test('`legion status --all --json` requests and prints all issues with full details', async () => {
  const { out } = await perform(here, 'status', '--all', '--json');
  expect(daemon.heard.map(({ line }) => line)).toEqual(['GET /status?finished=all&detail=full']);
  expect(JSON.parse(out)).toEqual({ daemon: HEALTH, workers: [WORKER], inbox: [INBOX], issues: [STATE] });
});

test('`legion status` reports that the board could not be read', async () => {
  answer.isOutdated = true;
  const { out } = await perform(here, 'status');
  expect(out).toContain('The board cannot be read right now. This is its last known state.');
});

test('`legion status` counts stopping workers separately from running ones', async () => {
  answer.daemon = { ...HEALTH, workers: { ...HEALTH.workers, stopping: 1 } };
  answer.issues = [{ ...STATE, workerStatus: 'stopped', workerStopping: { since: 1, graceEndsAt: 2 } }];
  const { out } = await perform(here, 'status');
  expect(out).toContain('workers 1 of 4, 1 stopping;');
  expect(out).toMatch(/SHOP-1 .*implement stopping/);
});
