/** `legion up` before the first real worker: what it states, what it asks, and what it refuses. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { consentFile } from '../../../src/config/consent.ts';
import { answering } from '../support/answering.ts';
import { makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const YAML = 'legion: shop\nport: 0\nagents: { default: { agent: codex } }\n';
const file = join(home.repository, 'legion.yaml');
beforeAll(() => makeRepository(home.repository));
beforeEach(() => writeLegionFile(home.repository, YAML));
afterEach(async () => {
  await perform(here, 'down');
});
afterAll(() => home.remove());

test('without a terminal nothing starts before somebody agrees, and what is agreed to is shown', async () => {
  const { error, out } = await perform(here, 'up');
  expect(error).toMatchObject({ code: 'consent.required' });
  for (const part of [
    'without a sandbox',
    'at most $10.00 per issue and at most $50.00 per day',
    'limited by tokens instead: 10,000,000',
    'never over uncommitted',
    'legion halt',
    'legion stop --all',
    'legion down --stop',
  ])
    expect(out.replaceAll(/\n\s+/g, ' ')).toContain(part);
  expect(existsSync(consentFile(home.state))).toBe(false);
  expect((await perform(here, 'status')).error?.code).toBe('daemon.not_running');
});

test.each([80, 110])('the screen breaks no word at %i columns', async (columns) => {
  const { out } = await perform({ ...here, columns }, 'up');
  const plain = stripVTControlCharacters(out);
  expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(plain.replaceAll(/\s+/g, ' ')).toContain(
    'read and change every file that you can, keys and other repositories included, and use the network.',
  );
  expect(plain.replaceAll(/\s+/g, ' ')).toContain(
    'legion halt stops every worker and starts none; it works without a daemon, too',
  );
});

test('--yes with budgets agrees to exactly these, and wider ones are asked for again', async () => {
  const up = await legionIn(here, 'up', '--json', '--yes', '--budget-issue', '3', '--budget-day', '20');
  expect(up).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(consentFile(home.state), 'utf8'))).toMatchObject({
    trust: { agents: ['codex'], budgets: { issueUsd: 3, dayUsd: 20 } },
  });
  const status = JSON.parse((await perform(here, 'status', '--json')).out);
  expect(status.daemon).toMatchObject({ day: { usdLimit: 20 }, budgets: { issue: { usd: 3 } } });
  await perform(here, 'down');
  const { error } = await perform(here, 'up');
  expect(error).toMatchObject({
    code: 'consent.required',
    message: expect.stringContaining('budgets.day.usd rises from 20 to 50'),
  });
});

test('at a terminal it asks for the budgets, and a no starts nothing and writes nothing', async () => {
  const questions: [string, string][] = [
    ['Budget per issue', ''],
    ['Budget per day', ''],
    ['Start workers on these terms?', ''],
  ];
  await expect(answering(here, ['up'], questions)).rejects.toMatchObject({ code: 'usage.cancelled' });
  expect(readFileSync(file, 'utf8')).toBe(YAML);
  expect((await perform(here, 'status')).error?.code).toBe('daemon.not_running');
});

test.each([
  ['--budget-day', '-1'],
  ['--budget-issue', 'much'],
  ['--agent', 'hal'],
])('refuses %s %s', async (...args) => {
  expect((await perform(here, 'up', ...args)).error?.code).toBe('usage.invalid');
});
