/** The consent screen of `legion up` as a person meets it: a real pseudo terminal, answered by typing. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readDaemonFile } from '../../../src/cli/daemon-address.ts';
import { consentFile } from '../../../src/config/consent.ts';
import { isRunning } from '../../../src/lib/process/proc-table.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { startAtTerminal } from '../support/terminal.ts';

const YAML = 'legion: shop\nport: 0\nagents: { default: { agent: codex } }\n';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const file = join(home.repository, 'legion.yaml');

beforeAll(() => makeRepository(home.repository));
beforeEach(() => writeLegionFile(home.repository, YAML));
afterEach(async () => {
  await perform(here, 'down');
});
afterAll(() => home.remove());

test('typing "no" starts nothing, writes nothing and says so', async () => {
  const up = startAtTerminal(home, 'up');
  await up.type('Budget per issue in dollars', '3');
  await up.type('Budget per day in dollars', '20');
  await up.type('Start workers on these terms?', 'no');
  expect(await up.exited).not.toBe(0);
  expect(up.output()).toContain('nothing was started');
  expect(readDaemonFile(home.state)).toBeUndefined();
  expect(existsSync(consentFile(home.state))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(YAML);
});

test.each(['Budget per issue in dollars', 'Budget per day in dollars', 'Start workers on these terms?'])(
  'Ctrl-C at “%s” starts nothing, writes nothing and says so',
  async (question) => {
    rmSync(home.state, { recursive: true, force: true });
    const before = listFiles(home.folder);
    const up = startAtTerminal(home, 'up');
    if (question !== 'Budget per issue in dollars') await up.type('Budget per issue in dollars', '3');
    if (question === 'Start workers on these terms?') await up.type('Budget per day in dollars', '20');
    await up.press(question, '\u0003');
    expect(await up.exited).toBe(1);
    expect(up.output()).toContain('nothing was started or written [usage.cancelled]');
    expect(listFiles(home.folder)).toEqual(before);
    expect(readFileSync(file, 'utf8')).toBe(YAML);
  },
);

test('typing "yes" records the consent, keeps the typed budgets and starts the daemon', async () => {
  const up = startAtTerminal(home, 'up');
  await up.type('Budget per issue in dollars', 'much');
  await up.type('Budget per issue in dollars', '3', 2);
  await up.type('Budget per day in dollars', '20');
  await up.type('Start workers on these terms?', 'yes');
  expect(await up.exited).toBe(0);
  expect(isRunning(readDaemonFile(home.state)?.pid ?? 0)).toBe(true);
  expect(JSON.parse(readFileSync(consentFile(home.state), 'utf8'))).toMatchObject({
    trust: { agents: ['codex'], budgets: { issueUsd: 3, dayUsd: 20 } },
  });
  expect(readFileSync(file, 'utf8')).toMatch(/issue:\s+usd: 3[\s\S]*day:\s+usd: 20/);
});

test('a budget of 0 says on the screen, and after the start, that no worker starts', async () => {
  writeLegionFile(home.repository, `${YAML}budgets: { issue: { tokens: 0 } }\n`);
  const up = startAtTerminal(home, 'up');
  await up.type('Budget per issue in dollars', '');
  await up.type('Budget per day in dollars', '');
  expect(up.output()).toContain('One of these is 0: no worker starts.');
  await up.type('Start workers on these terms?', 'yes');
  expect(await up.exited).toBe(0);
  const status = await perform(here, 'status');
  expect(status.out).toContain('A budget of 0 starts nothing. (budgets.issue.tokens=0)');
});

function listFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !name.startsWith('.cache')).sort();
}
