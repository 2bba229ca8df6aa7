/**
 * Tests `legion up` before the first real worker: the terms it shows, the questions it asks, and
 * when it refuses to start.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { resolveConsentFile } from '../../../src/config/consent.ts';
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

test('`legion up` without a terminal shows the terms, and starts nothing without consent', async () => {
  const { error, out } = await perform(here, 'up');
  expect(error).toMatchObject({ code: 'consent.required' });
  for (const part of [
    'without a sandbox',
    'at most $10.00 per issue and at most $50.00 per day',
    'limited by tokens instead: 10,000,000',
    'never overwrites uncommitted',
    'legion halt',
    'legion stop --all',
    'legion down --stop',
  ])
    expect(out.replaceAll(/\n\s+/g, ' ')).toContain(part);
  expect(existsSync(resolveConsentFile(home.state))).toBe(false);
  expect((await perform(here, 'status')).error?.code).toBe('daemon.not_running');
});

test.each([80, 110])('the consent screen breaks no words at %i columns', async (columns) => {
  const { out } = await perform({ ...here, columns }, 'up');
  const plain = stripVTControlCharacters(out);
  expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(plain.replaceAll(/\s+/g, ' ')).toContain(
    'use the network, and read and change every file that you can, including keys and other repositories.',
  );
  expect(plain.replaceAll(/\s+/g, ' ')).toContain(
    'legion halt stops every worker and starts no new ones; also works without a daemon',
  );
});

test('--yes consents to exactly the given budgets, and higher budgets need consent again', async () => {
  const up = await legionIn(here, 'up', '--json', '--yes', '--budget-issue', '3', '--budget-day', '20');
  expect(up).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(resolveConsentFile(home.state), 'utf8'))).toMatchObject({
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

test('`legion up` at a terminal asks for the budgets; after the answer "no", it starts and writes nothing', async () => {
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
])('`legion up` refuses %s %s', async (...args) => {
  expect((await perform(here, 'up', ...args)).error?.code).toBe('usage.invalid');
});
