import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { parseRepositoryName } from '../../../src/config/legion/schema.ts';
import { type LegionPaths, resolveLegionPaths } from '../../../src/config/paths.ts';
import {
  type CloneOptions,
  openCloneSource,
  type RepositorySource,
  requireEnclosingRepository,
} from '../../../src/daemon/composition/clone.ts';
import { createGitRunner } from '../../../src/git/runner.ts';
import { buildGitEnvironment } from '../../../src/integrations/github/client/credentials.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { closeStages, REPO, type Stage, stage } from '../../simulators/github/simulated-github.ts';

const { PATH } = process.env;
const ENVIRONMENT = { PATH };
const grounds: RepositorySource[] = [];
afterEach(async () => {
  for (const { lookup } of grounds.splice(0)) lookup.close();
  await closeStages();
});

test('creates a clone once, detects the default branch and fetches later pushes', async () => {
  const at = await stage();
  const options = optionsAt(at);
  const first = await opened(options);
  expect(first).toMatchObject({ name: REPO, base: 'main', ref: 'refs/remotes/origin/main' });
  const sha = await pushed(at, 'c.txt');
  expect((await first.git.run(first.path, ['rev-parse', first.ref])).trim()).not.toBe(sha);
  await Promise.all([first.fetchLatest(), first.fetchLatest(), first.fetchLatest()]);
  expect((await first.git.run(first.path, ['rev-parse', first.ref])).trim()).toBe(sha);
  expect((await opened(options)).path).toBe(first.path);
});

test('uses an existing clone if GitHub is unreachable, and reports the failed fetch if no clone exists', async () => {
  const at = await stage();
  const options = optionsAt(at);
  await opened(options);
  at.github.faults.outage('refused');
  expect((await opened(options)).base).toBe('main');
  expect((await refusal(opened({ ...options, paths: pathsIn() }))).message).toContain('fetch');
});

test('stores no token in the clone’s configuration or URL', async () => {
  const at = await stage();
  const { git, path } = await opened(optionsAt(at));
  expect(await git.run(path, ['config', '--list'])).not.toContain(at.token);
});

test('refuses a checkout that belongs to another repository', async () => {
  const at = await stage();
  const folder = at.folder();
  await at.git(folder, 'init', '--quiet');
  await at.git(folder, 'remote', 'add', 'origin', 'https://github.com/acme/other.git');
  const entry = { repo: REPO, path: folder };
  expect(await refusal(openCloneSource(entry, optionsAt(at)))).toMatchObject({ code: 'repository.missing' });
});

test.each([
  ['https://github.com/acme/app.git', 'acme/app'],
  ['https://github.com/acme/app', 'acme/app'],
  ['git@github.com:acme/app.git', 'acme/app'],
  ['ssh://git@github.com/acme/app.git/', 'acme/app'],
  ['https://x-access-token:secret@github.com/acme/app.git', 'acme/app'],
])('finds the enclosing repository by its remote URL %s', async (url, repo) => {
  const folder = mkdtempSync(join(inject('scratch'), 'around-'));
  const git = createGitRunner({ environment: ENVIRONMENT });
  await git.run(folder, ['init', '--quiet', '.']);
  await git.run(folder, ['config', 'remote.origin.url', url]);
  expect(await requireEnclosingRepository(folder, 'https://github.com', ENVIRONMENT)).toEqual({ repo });
  const refused = await refusal(requireEnclosingRepository(folder, 'https://hub.com', ENVIRONMENT));
  expect(refused).toMatchObject({ code: 'repository.missing' });
  expect(refused.message).not.toContain('secret');
});

test('accepts a repository name prefixed with its host', () => {
  expect(parseRepositoryName('git.example.com/acme/app')).toEqual({ owner: 'acme', name: 'app' });
  expect(parseRepositoryName('acme/app')).toEqual({ owner: 'acme', name: 'app' });
});

async function opened(options: CloneOptions): Promise<RepositorySource> {
  const ground = await openCloneSource({ repo: REPO }, options);
  grounds.push(ground);
  return ground;
}

function optionsAt({ github, token }: Stage): CloneOptions {
  const access = async () => buildGitEnvironment(github.url, token);
  return { paths: pathsIn(), web: github.url, environment: ENVIRONMENT, access };
}

function pathsIn(): LegionPaths {
  const home = mkdtempSync(join(inject('scratch'), 'home-'));
  const paths = resolveLegionPaths({ HOME: home });
  if (!paths.ok) throw new Error(paths.fault.message);
  return paths.value;
}

async function pushed(at: Stage, file: string): Promise<string> {
  const folder = join(at.folder(), 'work');
  mkdirSync(folder);
  await at.git(folder, 'clone', '--quiet', at.remote(), '.');
  await at.git(folder, 'commit', '--quiet', '--allow-empty', '-m', file);
  await at.git(folder, 'push', '--quiet', 'origin', 'HEAD');
  return at.git(folder, 'rev-parse', 'HEAD');
}
