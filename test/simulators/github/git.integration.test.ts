/**
 * Checks that real git clones from the simulator and pushes to it, under GitHub's permission rules.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { closeStages, REPO, type Stage, stage } from './simulated-github.ts';

afterEach(closeStages);

async function cloned(it: Stage, token?: string): Promise<string> {
  const folder = it.folder();
  await it.git(folder, 'clone', '--quiet', it.remote(token), '.');
  return folder;
}

async function committed(it: Stage, folder: string, branch: string, text: string): Promise<string> {
  await it.git(folder, 'checkout', '--quiet', '-B', branch);
  writeFileSync(join(folder, 'a.txt'), text);
  await it.git(folder, 'commit', '--quiet', '-am', `Say ${text}`);
  return it.git(folder, 'rev-parse', 'HEAD');
}

test('a branch pushed over HTTP is visible in the API, and another client can fetch it', async () => {
  const it = await stage();
  const folder = await cloned(it);
  const sha = await committed(it, folder, 'work', 'changed\n');
  await it.git(folder, 'push', '--quiet', 'origin', 'work');
  const { data } = await it.graphql(
    '{ repository(owner: "acme", name: "app") { ref(qualifiedName: "refs/heads/work") { target { oid } } } }',
  );
  expect(data.repository.ref.target.oid).toBe(sha);
  const other = await cloned(it, it.github.people.token('bob'));
  expect(await it.git(other, 'rev-parse', 'origin/work')).toBe(sha);
});

test('an account without write access cannot push, and a private repository is hidden from strangers', async () => {
  const it = await stage();
  const eve = it.github.people.token('eve');
  const folder = await cloned(it, eve);
  await committed(it, folder, 'work', 'changed\n');
  await expect(it.git(folder, 'push', '--quiet', 'origin', 'work')).rejects.toThrow(/403/);
  await it.github.people.repository('acme/secret', { private: true });
  const secret = it.remote(eve).replace('app.git', 'secret.git');
  await expect(it.git(it.folder(), 'clone', '--quiet', secret, '.')).rejects.toThrow(/not found/);
});

test('a protected branch rejects a direct push, and an unprotected branch accepts it', async () => {
  const it = await stage();
  it.github.people.protect(REPO, 'main', { requiredApprovals: 1 });
  const folder = await cloned(it);
  await committed(it, folder, 'main', 'changed\n');
  await expect(it.git(folder, 'push', '--quiet', 'origin', 'main')).rejects.toThrow(
    /GH006: Protected branch/,
  );
  await it.git(folder, 'push', '--quiet', 'origin', 'main:refs/heads/feature/one');
  expect(await it.git(folder, 'ls-remote', 'origin', 'refs/heads/feature/one')).not.toBe('');
});

test('each push is checked by the repository’s command in a clean checkout', async () => {
  const it = await stage();
  it.github.checks.onPush(REPO, { check: 'test', argv: ['grep', 'good', 'a.txt'] });
  const folder = await cloned(it);
  const rollup = async (sha: string) => {
    const { data } = await it.graphql(
      `query($oid: GitObjectID!) { repository(owner: "acme", name: "app") { object(oid: $oid) { ... on Commit {
        statusCheckRollup { state contexts(first: 5) { nodes {
          ... on CheckRun { name status conclusion databaseId detailsUrl } } } } } } } }`,
      { oid: sha },
    );
    return data.repository.object.statusCheckRollup;
  };
  const decided = async (sha: string) => {
    for (;;) {
      const found = await rollup(sha);
      if (found.state !== 'PENDING') return found;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const bad = await committed(it, folder, 'bad', 'bad\n');
  const good = await committed(it, folder, 'good', 'good\n');
  await it.git(folder, 'push', '--quiet', 'origin', 'bad', 'good');
  expect(await decided(bad)).toMatchObject({
    state: 'FAILURE',
    contexts: { nodes: [{ conclusion: 'FAILURE' }] },
  });
  const passed = await decided(good);
  expect(passed).toMatchObject({
    state: 'SUCCESS',
    contexts: { nodes: [{ name: 'test', status: 'COMPLETED' }] },
  });
  const { body } = await it.rest(
    `GET /repos/acme/app/actions/jobs/${passed.contexts.nodes[0].databaseId}/logs`,
  );
  expect(body).toBe('good\n');
});
