/**
 * Tests `legion doctor` and `legion up` with a simulated Linear: accounts, missing permissions, and
 * outages.
 */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { startGithub } from '../../../simulators/github/start.ts';
import type { NewTeam } from '../../../simulators/linear/simulator.ts';
import { resolveLegionPaths } from '../../../src/config/paths.ts';
import { approveBeforehand, CHECKED_CONFIG, REPOSITORY_CONFIG } from '../../support/checked-repository.ts';
import { commitFiles } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { type LinearHome, linearHome } from '../support/linear-home.ts';

interface Finding {
  readonly what: string;
  readonly verdict: string;
  readonly says: string;
  readonly next?: string;
}

const OPEN: LinearHome[] = [];
afterEach(async () => {
  for (const on of OPEN.splice(0)) await on.close();
});

async function begin(team: Partial<NewTeam> = {}): Promise<LinearHome> {
  const on = await linearHome(team);
  OPEN.push(on);
  configure(on);
  commitFiles(on.home.repository, { [REPOSITORY_CONFIG]: CHECKED_CONFIG });
  const paths = resolveLegionPaths(on.env);
  if (!paths.ok) throw new Error(paths.fault.message);
  approveBeforehand(paths.value.state(on.team), 'shop', CHECKED_CONFIG);
  return on;
}

function configure(on: LinearHome, more = '', legion = on.team): void {
  const lines = [
    `legion: ${legion}`,
    'backend: linear',
    ...['agents: { default: { agent: scripted } }', 'scripted: allowed'],
    'port: 0',
    `linear: { url: ${on.linear.url} }`,
    more,
  ];
  writeFileSync(on.file, `${lines.join('\n')}\n`);
}

async function findings(on: LinearHome, env: Readonly<Record<string, string>> = {}) {
  const here = { cwd: on.home.repository, env: { ...on.env, ...env } };
  const { out, exit } = await perform(here, 'doctor', '--json');
  const all = JSON.parse(out).findings as readonly Finding[];
  return { exit, all, by: new Map(all.map((finding) => [finding.what, finding])) };
}

describe('`legion doctor`', () => {
  test('reports the account with its workspace and credential, the team, and every passing check', async () => {
    const on = await begin();
    await on.run('init', '--create-missing');
    const before = on.linear.requests().length;
    const { by, exit, all } = await findings(on);
    const asked = on.linear.requests().slice(before);
    expect(asked.map(({ name }) => name)).toEqual(['Viewer', 'MayWrite', 'Teams']);
    expect(by.get('Linear account')).toMatchObject({
      verdict: 'ok',
      says: expect.stringMatching(/^ada \(.+\) of .+, using the variable LINEAR_API_KEY$/),
    });
    expect(by.get('team')).toMatchObject({ verdict: 'ok', says: 'Engineering (ENG)' });
    expect(by.get('writing')).toMatchObject({ verdict: 'ok', says: expect.stringMatching(/^allowed: /) });
    expect(by.get('states')).toMatchObject({
      verdict: 'ok',
      says: 'every status has a state; Needs Review is In Review',
    });
    expect(by.get('labels')).toMatchObject({ verdict: 'ok', says: 'all exist' });
    expect(by.get('Linear webhooks')?.says).toBe(
      'no secret is set, so Legion accepts no webhooks and polls instead',
    );
    expect(by.get('Linear budget')?.says).toMatch(/^\d+ of \d+ left; resets in /);
    expect(by.has('repositories of issues')).toBe(false);
    expect(by.get('repository')?.verdict).toBe('ok');
    expect(all.filter(({ verdict }) => verdict === 'bad')).toEqual([]);
    expect(exit).toBe(0);
  });

  test('lists missing states, unsuitable states and missing labels, and prints the next step', async () => {
    const on = await begin();
    const lacking = await findings(on);
    expect(lacking.exit).toBe(1);
    expect(lacking.by.get('states')).toMatchObject({
      verdict: 'bad',
      says: 'no state for Triage, Icebox, Testing, Retro',
      next: expect.stringContaining('legion init --create-missing'),
    });
    expect(lacking.by.get('labels')).toMatchObject({
      verdict: 'warn',
      says: expect.stringContaining('worker-active'),
      next: expect.stringContaining('legion init --create-missing'),
    });
    await on.run('init', '--create-missing');
    on.linear.people.renameState('ENG', 'Testing', 'To-do');
    on.linear.people.renameState('ENG', 'Todo', 'test_ing');
    const unsaid = await findings(on);
    expect(unsaid.by.get('states')).toMatchObject({
      verdict: 'bad',
      next: expect.stringContaining('  Todo: ["To-do"]'),
    });
    configure(on, 'statuses: { Todo: To-do, Testing: test_ing }');
    expect((await findings(on)).by.get('states')?.verdict).toBe('ok');
    configure(on, 'statuses: { Todo: To-do, Testing: Canceled }');
    expect((await findings(on)).by.get('states')).toMatchObject({
      verdict: 'bad',
      says: 'Canceled has the type canceled, which does not fit Testing',
    });
  });

  test('reports Legion’s labels if their label group makes them mutually exclusive', async () => {
    const on = await begin();
    on.linear.people.label({ name: 'worker-active', team: 'ENG', group: 'Legion' });
    on.linear.people.label({ name: 'worker-done', team: 'ENG', group: 'Legion' });
    expect((await findings(on)).by.get('labels')).toMatchObject({
      verdict: 'bad',
      says: 'worker-active, worker-done are in the group Legion, and an issue can have only one label of a group',
    });
  });

  test('reports a read-only key and a team that the key cannot see', async () => {
    const on = await begin();
    const { people } = on.linear;
    const reader = await findings(on, { LINEAR_API_KEY: people.apiKey('ada', ['read']) });
    expect(reader.by.get('writing')).toMatchObject({
      verdict: 'bad',
      says: expect.stringMatching(/^not allowed: /),
      next: expect.stringContaining('Write permission'),
    });
    expect(reader.exit).toBe(1);
    on.linear.faults.next({ matching: 'MayWrite', answer: { errorType: 'invalid input', message: 'Odd' } });
    expect((await findings(on)).by.get('writing')).toMatchObject({
      verdict: 'warn',
      says: 'unknown: Linear says: Odd',
    });
    configure(on, '', '11111111-1111-4111-8111-111111111111');
    expect((await findings(on)).by.get('team')).toMatchObject({
      verdict: 'bad',
      says: expect.stringContaining('[linear.missing]'),
      next: expect.stringContaining('member of the team'),
    });
  });

  test('reports exactly one problem if Linear is unreachable, Linear refuses the key, or no key is set', async () => {
    const on = await begin();
    const lines = async (env: Readonly<Record<string, string>>) =>
      (await findings(on, env)).all
        .filter(({ verdict }) => verdict === 'bad')
        .map(({ what, says }) => `${what}: ${says}`);
    expect(await lines({ LINEAR_API_KEY: 'lin_api_unknown' })).toEqual([
      expect.stringMatching(/^Linear: .*\[linear\.unauthorized\]$/),
    ]);
    expect(await lines({ LINEAR_API_KEY: '' })).toEqual([
      expect.stringMatching(/^Linear: .*LINEAR_API_KEY.*\[linear\.unauthorized\]$/),
    ]);
    configure(on, 'credentials: { linear: { api_key: "env:NOPE" } }');
    expect(await lines({})).toEqual([
      expect.stringMatching(/^Linear: credentials\.linear\.api_key: .*\[config\.secret_missing\]$/),
    ]);
    configure(on);
    for (const kind of [503, 'refused'] as const) {
      on.linear.faults.outage(kind);
      expect(await lines({})).toEqual([expect.stringMatching(/^Linear: .*\[linear\.unavailable\]$/)]);
    }
  });

  test('reports whether the webhook secret is set and readable, and warns if little of the API rate limit is left', async () => {
    const on = await begin();
    configure(on, 'credentials: { webhooks: { linear: "env:SECRET" } }');
    on.linear.faults.limits({ requests: { limit: 1_000, remaining: 60 } });
    expect((await findings(on)).by.get('Linear webhooks')?.verdict).toBe('bad');
    const { by } = await findings(on, { SECRET: 'x' });
    expect(by.get('Linear webhooks')).toMatchObject({
      verdict: 'ok',
      says: expect.stringContaining('/webhooks/linear'),
    });
    expect(by.get('Linear budget')).toMatchObject({
      verdict: 'warn',
      says: expect.stringMatching(/^\d\d of 1000 left/),
    });
  });

  test('reports configured labels and projects that do not exist, and a repository that no label or project selects', async () => {
    const on = await begin();
    const github = await startGithub();
    try {
      const { people } = on.linear;
      github.people.organization('acme', ['ada']);
      for (const repo of ['acme/app', 'acme/site'] as const) {
        await github.people.repository(repo);
        github.people.grant(repo, 'ada', 'WRITE');
      }
      const TOKEN = github.people.token('ada');
      const site = 'labels: [Site, docs], projects: [Website]';
      const withRepos = (entry: string) =>
        configure(
          on,
          [
            ...['forge: github', `github: { url: ${github.url} }`],
            `repos: [acme/app, { repo: acme/site${entry} }]`,
            'credentials: { github: { token: "env:TOKEN" } }',
          ].join('\n'),
        );
      withRepos(`, ${site}`);
      people.label({ name: 'site' });
      const lacking = await findings(on, { TOKEN });
      expect(lacking.by.get('repositories of issues')).toMatchObject({
        verdict: 'warn',
        says: 'the team does not have the label docs, the project Website',
      });
      // The issues are in Linear, so Legion needs only its pull request labels on GitHub.
      expect(lacking.by.get('labels of acme/app')?.says).toBe(
        'missing: worker-approved, worker-changes-requested',
      );
      people.label({ name: 'docs', team: 'ENG' });
      people.project('website', ['ENG']);
      expect((await findings(on, { TOKEN })).by.get('repositories of issues')).toMatchObject({
        verdict: 'ok',
        says: 'chosen by label or project; all other issues go to acme/app',
      });
      withRepos('');
      expect((await findings(on, { TOKEN })).by.get('repositories of issues')).toMatchObject({
        verdict: 'warn',
        says: 'no label or project assigns issues to acme/site',
      });
    } finally {
      await github.close();
    }
  });
});

describe('`legion up`', () => {
  test('starts the daemon for the team, shows its account, and finds an issue by its Linear id', async () => {
    const on = await begin();
    on.linear.people.issue('ENG', { creator: 'ada', title: 'Say hello', state: 'Done' });
    const { out, error } = await on.run('up', '-b', 'linear');
    expect(error).toBeUndefined();
    try {
      expect(out).toMatch(new RegExp(`^${on.team} is running at http://127\\.0\\.0\\.1:\\d+ `));
      expect(out).toContain('In Linear, Legion acts as ada of');
      expect(out).toContain(' (the variable LINEAR_API_KEY).\n');
      expect((await on.run('issue', 'show', 'ENG-1')).out).toContain('Say hello');
      const { teams } = JSON.parse((await on.run('teams', '--linear', '--json')).out);
      expect(teams).toMatchObject([{ key: 'ENG', legion: { running: true } }]);
    } finally {
      await on.run('down');
    }
  });

  test('accepts a UUID without a backend option as a Linear team', async () => {
    const on = await begin();
    // The file contains only the URL of Linear. The legion comes from the command line.
    writeFileSync(on.file, `port: 0\nlinear: { url: ${on.linear.url} }\n`);
    const { error } = await on.run('up', on.team.toUpperCase());
    expect(error).toBeUndefined();
    try {
      const { out } = await on.run('status', '--legion', on.team, '--json');
      expect(JSON.parse(out)).toMatchObject({ daemon: { legion: on.team, backend: 'linear' } });
    } finally {
      await on.run('down', '--legion', on.team);
    }
  });

  test('rejects a word that is not a team, and the Linear backend without a team', async () => {
    const on = await begin();
    writeFileSync(on.file, 'port: 0\n');
    const word = await on.run('up', '-b', 'linear', 'ENG');
    expect(word.error).toMatchObject({ code: 'usage.invalid' });
    expect(word.error?.message).toContain('the UUID of a Linear team');
    const none = await on.run('up', '-b', 'linear');
    expect(none.error).toMatchObject({ code: 'config.invalid' });
    expect(none.error?.message).toContain('the UUID of a Linear team because backend is linear (--backend)');
  });
});
