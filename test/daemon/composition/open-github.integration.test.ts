import { afterEach, expect, test } from 'vitest';
import type { LegionConfig } from '../../../src/config/legion/schema.ts';
import { roleEnvironment } from '../../../src/daemon/compose-role.ts';
import type { Repositories, Repository } from '../../../src/daemon/repository.ts';
import { MODES } from '../../../src/domain/mode.ts';
import { type Github, openGithub } from '../../../src/github/open.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { closeStages, REPO, type Stage, stage } from '../../simulators/github/simulated-github.ts';

const clients: Github[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await closeStages();
});

const repositories = { find: () => ({ name: REPO }) as Repository } as unknown as Repositories;

function asked(workers: 'none' | 'env'): LegionConfig {
  return { credentials: { github: { workers } } } as unknown as LegionConfig;
}

test('each mode commits as its role, and no two roles are the same account', async () => {
  const { client } = twoRoles(await stage());
  const names = await Promise.all(
    MODES.map(async (mode) => {
      const env = await roleEnvironment(
        { mode, issue: 'x' },
        { github: { client }, config: asked('none'), repositories },
      );
      expect(Object.keys(env).sort()).toEqual([
        ...['GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_EMAIL', 'GIT_COMMITTER_NAME'],
      ]);
      const { GIT_AUTHOR_NAME: name } = env;
      return [mode, name];
    }),
  );
  expect(Object.fromEntries(names)).toEqual({
    ...{ implement: 'legion-impl[bot]', merge: 'legion-impl[bot]' },
    ...{ architect: 'legion-review[bot]', plan: 'legion-review[bot]', test: 'legion-review[bot]' },
    review: 'legion-review[bot]',
  });
});

test('where it is asked for, an attempt has a new token of its role, and never a key or another’s', async () => {
  const at = await stage();
  const { client, keys } = twoRoles(at);
  const surroundings = { github: { client }, config: asked('env'), repositories };
  const tokens = await Promise.all(
    (['implement', 'implement', 'review'] as const).map(async (mode) => {
      const env = await roleEnvironment({ mode, issue: 'x' }, surroundings);
      const text = JSON.stringify(env);
      for (const secret of [at.token, ...keys]) expect(text).not.toContain(secret.slice(0, 60));
      const { GH_TOKEN: token } = env;
      return token;
    }),
  );
  expect(new Set(tokens).size).toBe(3);
  expect(tokens.every((token) => token !== undefined)).toBe(true);
});

test('a role without an identity of its own is given no token, and without GitHub there is nothing to say', async () => {
  const at = await stage();
  const client = opened(at, {});
  const surroundings = { github: { client }, config: asked('env'), repositories };
  expect(await roleEnvironment({ mode: 'plan', issue: 'x' }, surroundings)).not.toHaveProperty('GH_TOKEN');
  expect(await roleEnvironment({ mode: 'plan' }, { ...surroundings, github: undefined })).toEqual({});
});

function twoRoles(at: Stage) {
  const apps = ['impl', 'review'].map((role) =>
    at.github.people.app({ slug: `legion-${role}`, owner: 'acme' }),
  );
  const [impl, review] = apps.map((app) => ({ kind: 'app', ...app }) as const);
  return { client: opened(at, { impl, review }), keys: apps.map(({ privateKey }) => privateKey) };
}

function opened({ github, token }: Stage, roles: object): Github {
  const client = openGithub({
    ...{ url: github.url, environment: {}, place: { owner: 'acme', repo: 'app' }, clock: systemClock },
    identities: { legion: { kind: 'token', token }, ...roles },
  });
  clients.push(client);
  return client;
}
