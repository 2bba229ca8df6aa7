/**
 * Tests `legion doctor` and `legion up` with a simulated GitHub: accounts, missing permissions, and
 * outages.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { STATUSES } from '../../../src/core/model/status.ts';
import { type GithubHome, githubHome, REPO } from '../support/github-home.ts';
import { perform } from '../support/in-process.ts';

interface Finding {
  readonly what: string;
  readonly verdict: string;
  readonly says: string;
  readonly next?: string;
}

const OPEN: GithubHome[] = [];
afterEach(async () => {
  for (const on of OPEN.splice(0)) await on.close();
});

async function begin(statuses: readonly string[] = STATUSES): Promise<GithubHome> {
  const on = await githubHome({ statuses });
  OPEN.push(on);
  configure(on);
  return on;
}

function configure(on: GithubHome, more = '', github = '{ token: "env:TOKEN" }'): void {
  const lines = [
    ...['legion: acme/1', 'backend: github', 'port: 0', `repos: [${REPO}]`],
    ...['agents: { default: { agent: scripted } }', 'scripted: allowed'],
    `github: { url: ${on.github.url}, write_spacing: 0s }`,
    more === '' ? `credentials: { github: ${github} }` : more,
  ];
  writeFileSync(join(on.home.repository, 'legion.yaml'), `${lines.join('\n')}\n`);
}

async function findings(on: GithubHome, env: Readonly<Record<string, string>> = {}) {
  const here = { cwd: on.home.repository, env: { ...on.env, ...env } };
  const { out, exit } = await perform(here, 'doctor', '--json');
  const all = JSON.parse(out).findings as readonly Finding[];
  return { exit, all, by: new Map(all.map((finding) => [finding.what, finding])) };
}

/** Creates an App with these permissions and returns its key. */
function app({ github }: GithubHome, slug: string, permissions?: Readonly<Record<string, 'read' | 'write'>>) {
  const { appId, privateKey } = github.people.app({
    slug,
    owner: 'acme',
    ...(permissions && { permissions }),
  });
  return { appId, key: privateKey };
}

describe('`legion doctor`', () => {
  test('reports the account, the roles without their own identity, and every check that passes', async () => {
    const on = await begin();
    await on.run('init', '--create-missing');
    const { by, exit, all } = await findings(on);
    expect(by.get('GitHub account')).toMatchObject({
      verdict: 'ok',
      says: 'ada, using credentials.github.token',
    });
    expect(by.get('roles impl, review')).toMatchObject({
      verdict: 'warn',
      says: expect.stringContaining('verdicts are set as labels'),
      next: expect.stringContaining('credentials.github.review'),
    });
    expect(by.get('columns')).toMatchObject({
      verdict: 'ok',
      says: expect.stringContaining('/orgs/acme/projects/1'),
    });
    expect(by.get(`labels of ${REPO}`)?.verdict).toBe('ok');
    expect(by.get('webhooks')?.says).toBe(
      'no secret is set, so Legion accepts no webhooks and polls instead',
    );
    expect(by.get('GitHub points')?.says).toMatch(/^\d+ of \d+ left; resets in (?:1h|\d+m)$/);
    expect(all.filter(({ verdict }) => verdict === 'bad')).toEqual([]);
    expect(exit).toBe(0);
    // With GitHub, doctor checks the daemon's clone instead of the current directory.
    expect(by.has('repository')).toBe(false);
  });

  test('finds roles that have their own Apps, and lists each permission that such an App lacks', async () => {
    const on = await begin();
    const impl = app(on, 'legion-impl');
    const review = app(on, 'legion-review', { contents: 'read', issues: 'write', metadata: 'read' });
    const roles = `impl: { app_id: ${impl.appId}, private_key: "env:IMPL" }, review: { app_id: ${review.appId}, private_key: "env:REVIEW" }`;
    configure(on, '', `{ token: "env:TOKEN", ${roles} }`);
    const { by, exit } = await findings(on, { IMPL: impl.key, REVIEW: review.key });
    expect(by.get('role impl')).toMatchObject({
      verdict: 'ok',
      says: expect.stringContaining('legion-impl[bot], using GitHub App'),
    });
    expect(by.get(`role impl: ${REPO}: code`)?.verdict).toBe('ok');
    expect(by.get(`role review: ${REPO}: code`)).toMatchObject({
      verdict: 'bad',
      says: 'the App has contents: read',
      next: 'Give the App the permission contents: write, and accept the change where the App is installed.',
    });
    expect(by.get(`role review: ${REPO}: pull requests`)).toMatchObject({
      verdict: 'bad',
      says: 'the App has pull_requests: none',
    });
    expect(exit).toBe(1);
  });

  test('lists missing columns and labels and the next step', async () => {
    const on = await begin([
      'To-do',
      ...STATUSES.filter((status) => status !== 'Todo' && status !== 'Retro'),
    ]);
    const lacking = await findings(on);
    expect(lacking.by.get('columns')).toMatchObject({
      verdict: 'bad',
      says: expect.stringMatching(/^no column for Retro; The app, http/),
      next: expect.stringContaining('/orgs/acme/projects/1/settings'),
    });
    expect(lacking.by.get(`labels of ${REPO}`)).toMatchObject({
      verdict: 'warn',
      says: expect.stringContaining('worker-active'),
      next: expect.stringContaining('legion init --create-missing'),
    });
    const said = await on.run('init', '--create-missing');
    expect(said.out).toContain('statuses:\n  Todo: ["To-do"]\n');
    const unsaid = await findings(on);
    expect(unsaid.by.get('columns')).toMatchObject({
      verdict: 'bad',
      next: expect.stringContaining('  Todo: ["To-do"]'),
    });
    configure(on, 'statuses: { Todo: To-do }\ncredentials: { github: { token: "env:TOKEN" } }');
    expect((await findings(on)).by.get('columns')?.verdict).toBe('ok');
  });

  test('explains that a scope, a project or a repository is missing', async () => {
    const on = await begin();
    const { people } = on.github;
    const weak = await findings(on, { TOKEN: people.token('ada', ['repo']) });
    expect(weak.by.get('scopes')).toMatchObject({
      verdict: 'bad',
      says: 'the token lacks required scopes: project',
      next: expect.stringContaining('gh auth refresh -s repo,project'),
    });
    people.user('eve');
    const stranger = await findings(on, { TOKEN: people.token('eve') });
    expect(stranger.by.get('project')?.verdict).toBe('bad');
    expect(stranger.by.get(REPO)).toMatchObject({
      verdict: 'bad',
      next: 'Give the account Write permission.',
    });
    expect(stranger.exit).toBe(1);
  });

  test('reports exactly one problem if GitHub is unreachable, GitHub refuses the token, or no token is set', async () => {
    const on = await begin();
    const lines = async (env: Readonly<Record<string, string>>) =>
      (await findings(on, env)).all
        .filter(({ verdict }) => verdict === 'bad')
        .map(({ what, says }) => `${what}: ${says}`);
    expect(await lines({ TOKEN: 'ghp_unknown' })).toEqual([
      expect.stringMatching(/^GitHub: .*\[github\.unauthorized\]$/),
    ]);
    expect(await lines({ TOKEN: '' })).toEqual([expect.stringContaining('[config.secret_missing]')]);
    for (const kind of [503, 'refused'] as const) {
      on.github.faults.outage(kind);
      expect(await lines({})).toEqual([expect.stringMatching(/^GitHub: .*\[github\.unavailable\]$/)]);
    }
  });

  test('reports whether the webhook secret is set and readable, and warns if little of the API rate limit is left', async () => {
    const on = await begin();
    configure(on, 'credentials: { github: { token: "env:TOKEN" }, webhooks: { github: "env:SECRET" } }');
    on.github.faults.points(5_000, 200);
    expect((await findings(on)).by.get('webhooks')?.verdict).toBe('bad');
    const { by } = await findings(on, { SECRET: 'x' });
    expect(by.get('webhooks')).toMatchObject({
      verdict: 'ok',
      says: expect.stringContaining('/webhooks/github'),
    });
    expect(by.get('GitHub points')).toMatchObject({
      verdict: 'warn',
      says: expect.stringMatching(/of 5000 left/),
    });
  });
});

describe('`legion up`', () => {
  test('accepts a project by name and shows which account acts for each role; while the daemon is running, `legion init` cannot create columns', async () => {
    const on = await begin(STATUSES.filter((status) => status !== 'Retro'));
    const { out, error } = await on.run('up', 'acme/1', '-b', 'github');
    expect(error).toBeUndefined();
    try {
      expect(out).toMatch(/^acme\/1 is running at http:\/\/127\.0\.0\.1:\d+ /);
      expect(out).toContain('Legion on GitHub acts as ada (credentials.github.token).\n');
      expect(out).toContain('Roles impl and review have no accounts of their own and act as Legion: ');
      expect((await on.run('init', '--create-missing')).error?.code).toBe('daemon.running');
    } finally {
      await on.run('down', '--legion', 'acme/1');
    }
    expect((await on.run('init', '--create-missing')).out).toContain('created the columns Retro\n');
  });

  test('rejects two different legions on one command line, a word that is not a project, and an unknown backend', async () => {
    const on = await begin();
    expect((await on.run('up', 'acme/1', '--project', 'acme/2')).error?.message).toContain(
      'Two different legions are specified',
    );
    expect((await on.run('up', 'foreground')).error).toMatchObject({ code: 'usage.invalid' });
    expect((await on.run('up', '-b', 'jira')).error).toMatchObject({ code: 'usage.invalid' });
  });
});
