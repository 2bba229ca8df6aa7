import { afterEach, expect, test } from 'vitest';
import type { LegionConfig } from '../../../src/config/legion/schema.ts';
import { MODES } from '../../../src/core/model/mode.ts';
import { buildRoleEnvironment } from '../../../src/daemon/composition/open-github.ts';
import type { Repositories, Repository } from '../../../src/daemon/context/repository.ts';
import { type GithubConnection, openGithub } from '../../../src/integrations/github/client/open.ts';
import { systemClock } from '../../../src/lib/async/system-clock.ts';
import { closeStages, REPO, type Stage, stage } from '../../simulators/github/simulated-github.ts';

const clients: GithubConnection[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await closeStages();
});

const repositories = { find: () => ({ name: REPO }) as Repository } as unknown as Repositories;

function asked(workers: 'none' | 'env'): LegionConfig {
  return { credentials: { github: { workers } } } as unknown as LegionConfig;
}

test('sets the git author to the account of the role, and uses a different account for each role', async () => {
  const { client } = twoRoles(await stage());
  const names = await Promise.all(
    MODES.map(async (mode) => {
      const env = await buildRoleEnvironment(
        { mode, issue: 'x' },
        { credentials: client.credentials, config: asked('none'), repositories },
      );
      expect(Object.keys(env).sort()).toEqual([
        ...['GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_EMAIL', 'GIT_COMMITTER_NAME'],
      ]);
      const { GIT_AUTHOR_NAME: name } = env;
      return [mode, name];
    }),
  );
  expect(Object.fromEntries(names)).toEqual({
    implement: 'legion-impl[bot]',
    merge: 'legion-impl[bot]',
    architect: 'legion-review[bot]',
    plan: 'legion-review[bot]',
    test: 'legion-review[bot]',
    review: 'legion-review[bot]',
  });
});

test('if workers are configured to get tokens, gives each attempt a new token for its role, and never a key or another role’s token', async () => {
  const at = await stage();
  const { client, keys } = twoRoles(at);
  const surroundings = { credentials: client.credentials, config: asked('env'), repositories };
  const tokens = await Promise.all(
    (['implement', 'implement', 'review'] as const).map(async (mode) => {
      const env = await buildRoleEnvironment({ mode, issue: 'x' }, surroundings);
      const text = JSON.stringify(env);
      for (const secret of [at.token, ...keys]) expect(text).not.toContain(secret.slice(0, 60));
      const { GH_TOKEN: token } = env;
      return token;
    }),
  );
  expect(new Set(tokens).size).toBe(3);
  expect(tokens.every((token) => token !== undefined)).toBe(true);
});

test('gives no token to a role without its own identity, and sets no environment variables if GitHub is not used', async () => {
  const at = await stage();
  const client = opened(at, {});
  const surroundings = { credentials: client.credentials, config: asked('env'), repositories };
  expect(await buildRoleEnvironment({ mode: 'plan', issue: 'x' }, surroundings)).not.toHaveProperty(
    'GH_TOKEN',
  );
  expect(await buildRoleEnvironment({ mode: 'plan' }, { ...surroundings, credentials: undefined })).toEqual(
    {},
  );
});

function twoRoles(at: Stage) {
  const apps = ['impl', 'review'].map((role) =>
    at.github.people.app({ slug: `legion-${role}`, owner: 'acme' }),
  );
  const [impl, review] = apps.map((app) => ({ kind: 'app', ...app }) as const);
  return { client: opened(at, { impl, review }), keys: apps.map(({ privateKey }) => privateKey) };
}

function opened({ github, token }: Stage, roles: object): GithubConnection {
  const client = openGithub({
    url: github.url,
    environment: {},
    place: { owner: 'acme', repo: 'app' },
    clock: systemClock,
    identities: { legion: { kind: 'token', token }, ...roles },
  });
  clients.push(client);
  return client;
}
