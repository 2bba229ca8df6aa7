import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { type LegionPaths, legionPaths } from '../../../src/config/paths.ts';
import {
  type CloneOptions,
  cloneGround,
  repositoryAround,
  repositoryName,
} from '../../../src/daemon/compose-clone.ts';
import type { Ground } from '../../../src/daemon/compose-ground.ts';
import { gitRunner } from '../../../src/git/runner.ts';
import { gitEnvironment } from '../../../src/github/git-environment.ts';
import { refusal } from '../../ports/forge/refusal.ts';
import { closeStages, REPO, type Stage, stage } from '../../simulators/github/simulated-github.ts';

const { PATH } = process.env;
const ENVIRONMENT = { PATH };
const grounds: Ground[] = [];
afterEach(async () => {
  for (const { lookup } of grounds.splice(0)) lookup.close();
  await closeStages();
});

test('a clone is made once, knows the default branch, and follows what is pushed', async () => {
  const at = await stage();
  const options = optionsAt(at);
  const first = await opened(options);
  expect(first).toMatchObject({ name: REPO, base: 'main', ref: 'refs/remotes/origin/main' });
  const sha = await pushed(at, 'c.txt');
  expect((await first.git.run(first.path, ['rev-parse', first.ref])).trim()).not.toBe(sha);
  await Promise.all([first.renew(), first.renew(), first.renew()]);
  expect((await first.git.run(first.path, ['rev-parse', first.ref])).trim()).toBe(sha);
  expect((await opened(options)).path).toBe(first.path);
});

test('the next start does without GitHub where there is a clone, and without a clone says what is missing', async () => {
  const at = await stage();
  const options = optionsAt(at);
  await opened(options);
  at.github.faults.outage('refused');
  expect((await opened(options)).base).toBe('main');
  expect((await refusal(opened({ ...options, paths: pathsIn() }))).message).toContain('fetch');
});

test('no token is in the clone’s settings or its address', async () => {
  const at = await stage();
  const { git, path } = await opened(optionsAt(at));
  expect(await git.run(path, ['config', '--list'])).not.toContain(at.token);
});

test('a checkout that follows another repository is refused', async () => {
  const at = await stage();
  const folder = at.folder();
  await at.git(folder, 'init', '--quiet');
  await at.git(folder, 'remote', 'add', 'origin', 'https://github.com/acme/other.git');
  const entry = { repo: REPO, path: folder };
  expect(await refusal(cloneGround(entry, optionsAt(at)))).toMatchObject({ code: 'repository.missing' });
});

test.each([
  ['https://github.com/acme/app.git', 'acme/app'],
  ['https://github.com/acme/app', 'acme/app'],
  ['git@github.com:acme/app.git', 'acme/app'],
  ['ssh://git@github.com/acme/app.git/', 'acme/app'],
  ['https://x-access-token:secret@github.com/acme/app.git', 'acme/app'],
])('the repository around is found by its remote %s', async (url, repo) => {
  const folder = mkdtempSync(join(inject('scratch'), 'around-'));
  const git = gitRunner({ environment: ENVIRONMENT });
  await git.run(folder, ['init', '--quiet', '.']);
  await git.run(folder, ['config', 'remote.origin.url', url]);
  expect(await repositoryAround(folder, 'https://github.com', ENVIRONMENT)).toEqual({ repo });
  const refused = await refusal(repositoryAround(folder, 'https://hub.com', ENVIRONMENT));
  expect(refused).toMatchObject({ code: 'repository.missing' });
  expect(refused.message).not.toContain('secret');
});

test('a name may have a host in front', () => {
  expect(repositoryName('git.example.com/acme/app')).toEqual({ owner: 'acme', name: 'app' });
  expect(repositoryName('acme/app')).toEqual({ owner: 'acme', name: 'app' });
});

async function opened(options: CloneOptions): Promise<Ground> {
  const ground = await cloneGround({ repo: REPO }, options);
  grounds.push(ground);
  return ground;
}

function optionsAt({ github, token }: Stage): CloneOptions {
  const access = async () => gitEnvironment(github.url, token);
  return { paths: pathsIn(), web: github.url, environment: ENVIRONMENT, access };
}

function pathsIn(): LegionPaths {
  const home = mkdtempSync(join(inject('scratch'), 'home-'));
  const paths = legionPaths({ HOME: home });
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
