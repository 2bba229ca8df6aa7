import { parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA } from '../../../../simulators/github/graphql/schema.ts';
import { checkAccess } from '../../../../src/integrations/github/client/check-access.ts';
import { appServer } from './app-server.ts';
import { json, type Loopback, loopback } from './loopback.ts';

const signal = new AbortController().signal;
const wanted = {
  project: { owner: 'acme', number: 3 },
  repositories: [{ owner: 'acme', repo: 'widgets' }],
};

interface World {
  readonly scopes?: string;
  readonly project?: unknown;
  readonly repository?: unknown;
  readonly actions?: number;
}

const REPOSITORY = { viewerPermission: 'WRITE', isArchived: false, hasIssuesEnabled: true };
const PROJECT = { closed: false, viewerCanUpdate: true };

/** Simulates everything that the checks read from GitHub. */
function world({
  scopes,
  project = PROJECT,
  repository = REPOSITORY,
  actions = 200,
}: World): Promise<Loopback> {
  const headers: Record<string, string> = scopes === undefined ? {} : { 'x-oauth-scopes': scopes };
  return loopback((response, { path, body }) => {
    if (path.includes('/actions/runs')) json(response, actions, { message: 'about actions' }, headers);
    else if (path !== '/api/graphql') json(response, 200, [], headers);
    else if (body.includes('CheckProject'))
      json(response, 200, { data: { repositoryOwner: { projectV2: project } } }, headers);
    else if (body.includes('CheckRepository')) json(response, 200, { data: { repository } }, headers);
    else json(response, 200, { data: { viewer: { login: 'ada' } } }, headers);
  });
}

async function lacks(given: World): Promise<readonly string[]> {
  await using server = await world(given);
  const findings = await checkAccess(server.client(), wanted, signal);
  for (const { ok, why, next } of findings) {
    expect(why).not.toBe('');
    expect(next === undefined).toBe(ok);
  }
  return findings.flatMap(({ ok, what }) => (ok ? [] : [what]));
}

describe('the access check', () => {
  it('passes for a classic token with the required scopes, and for a token that reports no scopes', async () => {
    await using server = await world({ scopes: 'repo, project, gist' });
    const findings = await checkAccess(server.client(), wanted, signal);
    expect(findings.map(({ ok, what }) => [ok, what])).toEqual([
      [true, 'account'],
      [true, 'scopes'],
      [true, 'project'],
      [true, 'acme/widgets'],
      [true, 'acme/widgets: reading pull requests'],
      [true, 'acme/widgets: reading Actions logs'],
    ]);
    expect(findings[0]?.why).toContain('ada');
    expect(await lacks({})).toEqual([]);
  });

  it.each<readonly [string, World, readonly string[]]>([
    ['a scope', { scopes: 'repo, read:project' }, ['scopes']],
    ['both scopes', { scopes: '' }, ['scopes']],
    ['the project', { project: null }, ['project']],
    ['write access to the project', { project: { ...PROJECT, viewerCanUpdate: false } }, ['project']],
    ['an open project', { project: { ...PROJECT, closed: true } }, ['project']],
    ['the repository', { repository: null }, ['acme/widgets']],
    [
      'write access to the repository',
      { repository: { ...REPOSITORY, viewerPermission: 'TRIAGE' } },
      ['acme/widgets'],
    ],
    ['an unarchived repository', { repository: { ...REPOSITORY, isArchived: true } }, ['acme/widgets']],
    ['issues', { repository: { ...REPOSITORY, hasIssuesEnabled: false } }, ['acme/widgets']],
    ['Actions', { actions: 403 }, ['acme/widgets: reading Actions logs']],
  ])('reports that %s is missing', async (_title, given, missing) => {
    expect(await lacks(given)).toEqual(missing);
  });

  it('reports only the account if GitHub rejects the token', async () => {
    await using server = await loopback((response) => json(response, 401, { message: 'Bad credentials' }));
    const findings = await checkAccess(server.client(), wanted, signal);
    expect(findings).toEqual([
      expect.objectContaining({
        what: 'account',
        ok: false,
        next: expect.stringContaining('credentials.github'),
      }),
    ]);
  });

  it('reads an App’s rights from its permissions', async () => {
    await using server = await appServer();
    const client = server.client({
      identities: { legion: server.app },
      place: { owner: 'acme', repo: 'widgets' },
    });
    expect(await client.credentials.grants()).toEqual({
      scopes: undefined,
      permissions: { issues: 'write', contents: 'read' },
    });
  });

  it('queries only fields of GitHub’s schema', async () => {
    await using server = await world({});
    await checkAccess(server.client(), wanted, signal);
    const documents = server.seen
      .filter(({ path }) => path === '/api/graphql')
      .map(({ body }) => (JSON.parse(body) as { query: string }).query);
    expect(documents).toHaveLength(4);
    for (const document of documents) expect(validate(SCHEMA, parse(document))).toEqual([]);
  });
});
