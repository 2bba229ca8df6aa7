/**
 * Tests that `legion demo` with Linear rejects invalid options and unsuitable teams before it
 * writes anything there.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { seedDemo as seedGithub } from '../../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { DEMO_TEAM, seedDemo } from '../../../simulators/linear/demo.ts';
import type { LinearSimulator } from '../../../simulators/linear/simulator.ts';
import { startLinear } from '../../../simulators/linear/start.ts';
import { newHome } from '../support/home.ts';
import { perform } from '../support/in-process.ts';

const home = newHome();
afterAll(() => home.remove());
const nowhere = 'http://127.0.0.1:9';
const OPTIONS = { 'linear-url': nowhere, team: DEMO_TEAM, 'key-variable': 'MINE' };
const GITHUB = { 'github-url': nowhere, repo: 'legion/demo', 'token-variable': 'TOKEN' };

type Given = Readonly<Record<string, string | undefined>>;

function demo(given: Given, env: Given = {}, name = 'demo') {
  const options = Object.entries(given).flatMap(([option, value]) =>
    value === undefined ? [] : [`--${option}`, value],
  );
  const all = { ...home.env, MINE: 'lin_api_a', TOKEN: 'a-token', ...env };
  return perform({ cwd: home.folder, env: all }, 'demo', '--folder', join(home.folder, name), ...options);
}

test.for([
  ['a call without a team', { team: undefined }, 'usage.invalid', /A demo in Linear also needs --team/],
  [
    'a call without a URL',
    { 'linear-url': undefined },
    'usage.invalid',
    /A demo in Linear also needs --linear-url/,
  ],
  [
    'a call without a key',
    { 'key-variable': undefined },
    'usage.invalid',
    /A demo in Linear also needs --key-variable/,
  ],
  ['an invalid URL', { 'linear-url': 'linear' }, 'usage.invalid', /--linear-url takes a URL/],
  ['a URL with a path', { 'linear-url': `${nowhere}/graphql` }, 'usage.invalid', /--linear-url takes a URL/],
  ['a team without a name', { team: ' ' }, 'usage.invalid', /--team takes the key of a team/],
  [
    'an invalid variable name',
    { 'key-variable': '1' },
    'usage.invalid',
    /--key-variable takes the name of an environment variable/,
  ],
  ['an unset variable', { 'key-variable': 'NOBODYS' }, 'config.secret_missing', /NOBODYS is not set/],
  [
    'a key without a URL and a team',
    { 'linear-url': undefined, team: undefined },
    'usage.invalid',
    /--key-variable needs --agent or --linear-url/,
  ],
  [
    'options for two boards',
    { ...GITHUB, project: 'legion/1' },
    'usage.invalid',
    /--project cannot be used with --linear-url/,
  ],
  [
    'GitHub options without a repository',
    { ...GITHUB, repo: undefined },
    'usage.invalid',
    /A demo on GitHub also needs --repo/,
  ],
] as const)('`legion demo` rejects %s and creates nothing', async ([, changed, code, says]) => {
  const { error } = await demo({ ...OPTIONS, ...changed });
  expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
  expect(existsSync(join(home.folder, 'demo'))).toBe(false);
});

let linear: LinearSimulator;
let github: GithubSimulator | undefined;
beforeEach(async () => {
  linear = await startLinear();
});
afterEach(async () => {
  await linear.close();
  await github?.close();
  github = undefined;
});

test('`legion demo` rejects a missing team and a team with open issues before it writes anything', async () => {
  const { people } = linear;
  const { key: MINE } = seedDemo(linear);
  people.team({ key: 'ENG', name: 'Engineering' });
  const busy = people.issue('ENG', { creator: 'ada', title: 'Somebody’s', state: 'Todo' });
  const given = { ...OPTIONS, 'linear-url': linear.url };
  const refused = async (changed: object, name: string) =>
    (await demo({ ...given, ...changed }, { MINE }, name)).error;
  expect(await refused({ team: 'NONE' }, 'none')).toMatchObject({ code: 'linear.missing' });
  const error = await refused({ team: 'ENG' }, 'busy');
  expect(error).toMatchObject({ code: 'demo.team_busy', message: expect.stringContaining(busy) });
  expect(linear.requests().filter(({ write }) => write)).toEqual([]);
});

test('`legion demo` rejects a key that Linear refuses, and prints the next step', async () => {
  seedDemo(linear);
  const { error } = await demo({ ...OPTIONS, 'linear-url': linear.url }, { MINE: 'lin_api_guessed' }, 'key');
  expect(error?.code).toBe('linear.unauthorized');
});

test('`legion demo` rejects a GitHub repository that is not the demo repository before it writes to Linear', async () => {
  const { key: MINE } = seedDemo(linear);
  github = await startGithub();
  const { tokens } = await seedGithub(github);
  await github.people.repository('legion/other', { files: { 'README.md': 'Something else.\n' } });
  github.people.grant('legion/other', 'ada', 'ADMIN');
  const given = { ...OPTIONS, 'linear-url': linear.url, ...GITHUB, 'github-url': github.url };
  const refused = async (repo: string, name: string) =>
    (await demo({ ...given, repo }, { MINE, TOKEN: tokens.ada }, name)).error;
  expect(await refused('legion/other', 'other')).toMatchObject({ code: 'demo.repository_other' });
  expect(await refused('legion/nothing', 'nothing')).toMatchObject({ code: 'github.missing' });
  expect(linear.requests().filter(({ write }) => write)).toEqual([]);
});
