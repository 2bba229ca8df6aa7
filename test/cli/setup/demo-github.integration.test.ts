/**
 * Tests that `legion demo` on GitHub rejects invalid options and unsuitable repositories before it
 * creates anything.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { DEMO_REPO, seedDemo } from '../../../simulators/github/demo.ts';
import type { GithubSimulator } from '../../../simulators/github/simulator.ts';
import { startGithub } from '../../../simulators/github/start.ts';
import { newHome } from '../support/home.ts';
import { perform } from '../support/in-process.ts';

const home = newHome();
afterAll(() => home.remove());
const folder = join(home.folder, 'demo');
const OPTIONS = {
  'github-url': 'http://127.0.0.1:9',
  project: 'legion/1',
  repo: DEMO_REPO,
  'token-variable': 'MINE',
};

function demo(given: Readonly<Record<string, string | undefined>>, token = 'a-token', into = folder) {
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return perform(
    { cwd: home.folder, env: { ...home.env, MINE: token } },
    'demo',
    '--folder',
    into,
    ...options,
  );
}

test.for([
  [{ repo: undefined }, 'usage.invalid', /also needs --repo/],
  [{ 'github-url': 'github' }, 'usage.invalid', /--github-url takes a URL/],
  [{ 'github-url': 'http://127.0.0.1:9/' }, 'usage.invalid', /--github-url takes a URL/],
  [{ project: 'legion' }, 'usage.invalid', /--project takes OWNER\/NUMBER, got "legion"/],
  [{ repo: 'demo' }, 'usage.invalid', /--repo takes OWNER\/NAME, got "demo"/],
  [{ 'token-variable': '1' }, 'usage.invalid', /--token-variable takes the name of an environment variable/],
  [{ 'token-variable': 'NOBODYS' }, 'config.secret_missing', /NOBODYS is not set/],
] as const)(
  '`legion demo` rejects the options %j with the error %s and creates nothing',
  async ([changed, code, says]) => {
    const { error } = await demo({ ...OPTIONS, ...changed });
    expect(error).toMatchObject({ code, message: expect.stringMatching(says) });
    expect(existsSync(folder)).toBe(false);
  },
);

let github: GithubSimulator | undefined;
afterEach(async () => {
  await github?.close();
  github = undefined;
});

test('`legion demo` rejects a GitHub account without the board or the demo repository before it creates an issue', async () => {
  github = await startGithub();
  const { project, tokens } = await seedDemo(github);
  await github.people.repository('legion/other', { files: { 'README.md': 'Something else.\n' } });
  github.people.grant('legion/other', 'ada', 'ADMIN');
  const given = { ...OPTIONS, 'github-url': github.url, project };
  const refused = async (changed: object, name: string) =>
    (await demo({ ...given, ...changed }, tokens.ada, join(home.folder, name))).error;
  expect(await refused({ project: 'legion/9' }, 'no-board')).toMatchObject({ code: 'github.missing' });
  expect(await refused({ repo: 'legion/nothing' }, 'nothing')).toMatchObject({ code: 'github.missing' });
  expect(await refused({ repo: 'legion/other' }, 'other')).toMatchObject({ code: 'demo.repository_other' });
  expect(github.snapshot().issues).toEqual([]);
});
