/** Tests the consent screen of `legion up` in a real pseudo-terminal, by typing answers. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readDaemonFile } from '../../../src/cli/daemon-address.ts';
import { resolveConsentFile } from '../../../src/config/consent.ts';
import { isRunning } from '../../../src/lib/process/proc-table.ts';
import { skipWithoutProgram } from '../../support/required-program.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { startAtTerminal } from '../support/terminal.ts';

const YAML = 'legion: shop\nport: 0\nagents: { default: { agent: codex } }\n';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const file = join(home.repository, 'legion.yaml');

beforeAll(() => makeRepository(home.repository));
beforeEach((context) => {
  skipWithoutProgram(context, 'script');
  writeLegionFile(home.repository, YAML);
});
afterEach(async () => {
  await perform(here, 'down');
});
afterAll(() => home.remove());

test('if a person types "no", nothing is started or written, and the output says so', async () => {
  const up = startAtTerminal(home, 'up');
  await up.type('Budget per issue in dollars', '3');
  await up.type('Budget per day in dollars', '20');
  await up.type('Start workers on these terms?', 'no');
  expect(await up.exited).not.toBe(0);
  expect(up.output()).toContain('Nothing was started');
  expect(readDaemonFile(home.state)).toBeUndefined();
  expect(existsSync(resolveConsentFile(home.state))).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(YAML);
});

test.each(['Budget per issue in dollars', 'Budget per day in dollars', 'Start workers on these terms?'])(
  'after Ctrl-C at “%s”, nothing is started or written, and the output says so',
  async (question) => {
    rmSync(home.state, { recursive: true, force: true });
    const before = listFiles(home.folder);
    const up = startAtTerminal(home, 'up');
    if (question !== 'Budget per issue in dollars') await up.type('Budget per issue in dollars', '3');
    if (question === 'Start workers on these terms?') await up.type('Budget per day in dollars', '20');
    await up.press(question, '\u0003');
    expect(await up.exited).toBe(1);
    expect(up.output()).toContain('Nothing was started or written. [usage.cancelled]');
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
  expect(JSON.parse(readFileSync(resolveConsentFile(home.state), 'utf8'))).toMatchObject({
    trust: { agents: ['codex'], budgets: { issueUsd: 3, dayUsd: 20 } },
  });
  expect(readFileSync(file, 'utf8')).toMatch(/issue:\s+usd: 3[\s\S]*day:\s+usd: 20/);
});

test('a budget of 0 is shown on the consent screen, and the output after the start says that no workers will start', async () => {
  writeLegionFile(home.repository, `${YAML}budgets: { issue: { tokens: 0 } }\n`);
  const up = startAtTerminal(home, 'up');
  await up.type('Budget per issue in dollars', '');
  await up.type('Budget per day in dollars', '');
  expect(up.output()).toContain('One of these limits is 0, so no workers will start.');
  await up.type('Start workers on these terms?', 'yes');
  expect(await up.exited).toBe(0);
  const status = await perform(here, 'status');
  expect(status.out).toContain('A budget is 0, so nothing starts. (budgets.issue.tokens=0)');
});

function listFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !name.startsWith('.cache')).sort();
}
