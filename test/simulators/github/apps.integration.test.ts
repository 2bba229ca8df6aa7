/**
 * Checks that a GitHub App can exchange a signed assertion for one-hour tokens that have only the
 * granted permissions.
 */
import { request } from '@octokit/request';
import githubAppJwt from 'universal-github-app-jwt';
import { afterEach, expect, test } from 'vitest';
import { closeStages, REPO, stage } from './simulated-github.ts';

afterEach(closeStages);

async function installed(permissions?: Record<string, 'read' | 'write'>) {
  let now = Date.now();
  const it = await stage({ clock: { now: () => now } });
  const app = it.github.people.app({
    slug: 'legion-impl',
    owner: 'acme',
    ...(permissions && { permissions }),
  });
  const ask = await askAs(app, it.github.url);
  const token = async () => {
    const { data } = await ask('POST /app/installations/{installation_id}/access_tokens', {
      installation_id: app.installationId,
    });
    return data.token;
  };
  return { ...it, app, ask, token, pass: (ms: number) => (now += ms) };
}

/** Sends a request as an App, signed with the libraries that Octokit itself uses. */
async function askAs({ appId, privateKey }: { appId: number; privateKey: string }, url: string) {
  const { token } = await githubAppJwt({ id: appId, privateKey });
  return request.defaults({
    baseUrl: `${url}/api/v3`,
    headers: { authorization: `Bearer ${token}`, connection: 'close' },
  });
}

test('Octokit’s own library gets a token, acts as the bot, and loses access after an hour', async () => {
  const { graphql, token, pass, github } = await installed();
  github.people.issue(REPO, { author: 'ada', title: 'First' });
  const value = await token();
  const read = await graphql(
    '{ viewer { login } repository(owner: "acme", name: "app") { issue(number: 1) { id } } }',
    {},
    value,
  );
  expect(read.data.viewer.login).toBe('legion-impl[bot]');
  const comment = `mutation($id: ID!) { addComment(input: { subjectId: $id, body: "x" }) { clientMutationId } }`;
  expect((await graphql(comment, { id: read.data.repository.issue.id }, value)).errors).toEqual([]);
  expect(github.snapshot().issues[0]?.comments[0]?.author).toBe('legion-impl[bot]');
  pass(3_599_000);
  expect((await graphql('{ viewer { login } }', {}, value)).status).toBe(200);
  pass(1000);
  expect((await graphql('{ viewer { login } }', {}, value)).status).toBe(401);
});

test('an app has only its granted permissions, and its installation can be looked up', async () => {
  const { graphql, token, github, ask, app } = await installed({ issues: 'read', contents: 'read' });
  github.people.issue(REPO, { author: 'ada', title: 'First' });
  const value = await token();
  const read = await graphql(
    '{ repository(owner: "acme", name: "app") { issue(number: 1) { id } } }',
    {},
    value,
  );
  const comment = `mutation($id: ID!) { addComment(input: { subjectId: $id, body: "x" }) { clientMutationId } }`;
  const { errors } = await graphql(comment, { id: read.data.repository.issue.id }, value);
  expect(errors).toMatchObject([{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }]);
  const { data } = await ask('GET /repos/{owner}/{repo}/installation', {
    owner: 'acme',
    repo: 'app',
  });
  expect(data).toMatchObject({ id: app.installationId, app_slug: 'legion-impl' });
  expect((await ask('GET /app')).data).toMatchObject({ id: app.appId });
});

test('an assertion signed by another key is rejected', async () => {
  const { github, app } = await installed();
  const other = github.people.app({ slug: 'other', owner: 'acme' });
  const ask = await askAs({ ...app, privateKey: other.privateKey }, github.url);
  await expect(ask('GET /app')).rejects.toMatchObject({ status: 401 });
});
