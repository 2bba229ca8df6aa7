/**
 * Tests `legion init` with a simulated Linear: which team it finds, what it creates there, and what
 * it leaves unchanged.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { startGithub } from '../../../simulators/github/start.ts';
import type { NewTeam } from '../../../simulators/linear/simulator.ts';
import { LABELS } from '../../../src/core/model/label.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { answering, DOWN } from '../support/answering.ts';
import { perform } from '../support/in-process.ts';
import { type LinearHome, linearHome, written } from '../support/linear-home.ts';

const OPEN: LinearHome[] = [];
afterEach(async () => {
  for (const on of OPEN.splice(0)) await on.close();
});

async function begin(team: Partial<NewTeam> = {}): Promise<LinearHome> {
  const on = await linearHome(team);
  OPEN.push(on);
  return on;
}

const TYPES = { Todo: 'unstarted', Done: 'completed', Icebox: 'backlog', Backlog: 'backlog' } as const;
const WHOLE: NonNullable<NewTeam['states']> = [
  ...STATUSES.map((name) => ({ name, type: TYPES[name as keyof typeof TYPES] ?? 'started' })),
  { name: 'Canceled', type: 'canceled' },
];

function stateNames({ linear }: LinearHome): readonly string[] {
  const { states } = linear.snapshot();
  const { ENG = [] } = states;
  return ENG.map(({ name }) => name);
}

describe('a team with every state', () => {
  test('is written to the file by its UUID, and nothing is created unless requested', async () => {
    const on = await begin({ states: WHOLE });
    const { out, exit, error } = await on.init('-b', 'linear', '--team', 'eng', '--agent', 'codex');
    expect(error).toBeUndefined();
    expect(exit).toBe(0);
    expect(out).toContain('ENG: Engineering\n');
    expect(out).toContain('ENG is ready\n');
    expect(written(on)).toMatchObject({
      legion: on.team,
      short_id: 'eng',
      backend: 'linear',
      forge: 'local',
      repos: [],
      statuses: {},
      linear: { url: on.linear.url },
      agents: { default: { agent: 'codex' } },
      credentials: { linear: { api_key: 'env:LINEAR_API_KEY' } },
    });
    expect(readFileSync(on.file, 'utf8')).not.toContain(on.key);
    expect(on.writes()).toEqual([]);
  });

  test.each([
    ['its name', 'engineering'],
    ['its key', 'ENG'],
  ])('can be found by %s', async (_title, text) => {
    const on = await begin({ states: WHOLE });
    expect((await on.init('--team', text)).error).toBeUndefined();
    expect(written(on).legion).toBe(on.team);
  });

  test('can be found by its UUID, even if the UUID is given as the name of the legion', async () => {
    const on = await begin({ states: WHOLE });
    expect((await on.init('--team', on.team)).error).toBeUndefined();
    expect((await on.init('-b', 'linear', '--legion', on.team, '--force')).error).toBeUndefined();
    expect(written(on).legion).toBe(on.team);
  });

  test('stays unchanged after a second init, both in the file and in Linear', async () => {
    const on = await begin({ states: WHOLE });
    await on.init('--team', 'ENG', '--create-missing');
    const [before, made] = [readFileSync(on.file, 'utf8'), on.writes().length];
    expect((await on.init('--team', 'ENG')).error?.code).toBe('init.exists');
    const { out } = await on.run('init', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ made: { statuses: [], labels: 0 }, written: [] });
    expect(readFileSync(on.file, 'utf8')).toBe(before);
    expect(on.writes()).toHaveLength(made);
  });
});

describe('missing states and labels', () => {
  test('are reported but not created', async () => {
    const on = await begin();
    const { out, exit } = await on.init('--team', 'ENG');
    expect(exit).toBe(0);
    expect(out).toMatch(/^Testing +missing$/m);
    expect(out).toMatch(/^Needs Review +In Review$/m);
    expect(out).toMatch(/^labels +14 missing$/m);
    expect(out).toContain('ENG is not ready yet\n');
    expect(out).toContain('Issues cannot be moved to Triage, Icebox, Testing, Retro.');
    expect(out).toContain('Fix this before workers can start');
    expect(out).toContain('The board has no column for Triage, Icebox, Testing, Retro');
    // With the local forge, the output also reports that no check commands are configured.
    expect(out).toContain('neither commands.ci nor commands.quality_gate');
    expect(written(on).statuses).toEqual({ 'Needs Review': ['In Review'] });
    expect(on.writes()).toEqual([]);
  });

  test('are created once on request, except states that already exist under another name', async () => {
    const on = await begin();
    const { out, error } = await on.init('--team', 'ENG', '--create-missing', '--json');
    expect(error).toBeUndefined();
    expect(JSON.parse(out)).toMatchObject({
      legion: on.team,
      team: { key: 'ENG', name: 'Engineering' },
      forge: 'local',
      made: { statuses: ['Triage', 'Icebox', 'Testing', 'Retro'], labels: LABELS.length },
      missing: { statuses: [], labels: [] },
      written: [on.file],
      preflight: { problems: [{ code: 'preflight.unchecked' }] },
    });
    const names = stateNames(on);
    expect(names).toHaveLength(11);
    expect(names).toEqual(expect.arrayContaining(['Triage', 'Icebox', 'Testing', 'Retro', 'In Review']));
    expect(names).not.toContain('Needs Review');
    const own = on.linear.snapshot().labels.map(({ name }) => name);
    expect(own.filter((name) => LABELS.some((label) => label === name))).toHaveLength(LABELS.length);
  });

  test('do not include a label that already exists, even if it belongs to the workspace or differs in case', async () => {
    const on = await begin({ states: WHOLE });
    on.linear.people.label({ name: 'Worker-Active' });
    on.linear.people.label({ name: 'needs-approval', team: 'ENG' });
    const { out } = await on.init('--team', 'ENG', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ made: { labels: LABELS.length - 2 } });
  });

  test('can be given other names with an option, and are created under those names', async () => {
    const on = await begin();
    on.linear.people.renameState('ENG', 'Todo', 'Ready');
    const options = ['--team', 'ENG', '--status', 'todo=Ready', '--status', 'Testing=QA'];
    const refused = await on.init(...options);
    expect(refused.error).toMatchObject({ code: 'tracker.column_missing' });
    expect(existsSync(on.file)).toBe(false);
    expect((await on.init(...options, '--create-missing')).error).toBeUndefined();
    expect(stateNames(on)).toContain('QA');
    expect(stateNames(on)).not.toContain('Testing');
    expect(written(on).statuses).toMatchObject({ Todo: ['Ready'], Testing: ['QA'] });
  });

  test('do not include Triage if the team has Linear’s own triage state, which is recognised by its type', async () => {
    const on = await begin({ triage: true });
    on.linear.people.renameState('ENG', 'Triage', 'Incoming');
    await on.init('--team', 'ENG', '--create-missing');
    expect(written(on).statuses).toMatchObject({ Triage: ['Incoming'] });
    expect(stateNames(on)).not.toContain('Triage');
  });

  test('are reported together with a state of an unsuitable type, which only a person can change', async () => {
    const states = WHOLE.map((state) =>
      state.name === 'Testing' ? ({ ...state, type: 'completed' } as const) : state,
    );
    const on = await begin({ states });
    const { out } = await on.init('--team', 'ENG');
    expect(out).toContain('ENG is not ready yet\n');
    expect(out).toContain('The state Testing has type completed, but Testing cannot use an end state');
  });

  test('are created only once if Linear’s response is lost', async () => {
    const on = await begin();
    on.linear.faults.next({ matching: 'CreateState', answer: { status: 502 }, executed: true });
    expect((await on.init('--team', 'ENG', '--create-missing')).error).toBeUndefined();
    expect(stateNames(on).filter((name) => name === 'Triage')).toHaveLength(1);
  });

  test('leave no configuration file if their creation fails, and repeating the command creates the rest', async () => {
    const on = await begin();
    on.linear.faults.next({ matching: 'CreateLabel', answer: { status: 503 } });
    const first = await on.init('--team', 'ENG', '--create-missing');
    expect(first.error).toMatchObject({ code: 'linear.unavailable' });
    expect(first.error?.message).toContain('Run the same command again to continue');
    expect(existsSync(on.file)).toBe(false);
    expect((await on.init('--team', 'ENG', '--create-missing')).error).toBeUndefined();
    expect(new Set(stateNames(on)).size).toBe(stateNames(on).length);
  });
});

describe('`legion init` rejects, without writing anything,', () => {
  test.each<readonly [string, readonly string[], string, string]>([
    [
      'a call without a team',
      ['-b', 'linear'],
      'usage.invalid',
      '--team KEY is required. Valid: ENG (Engineering)',
    ],
    ['a missing team', ['--team', 'ENX'], 'linear.missing', 'Unknown team "ENX"'],
    ['an empty team name', ['--team', ' '], 'usage.invalid', '--team takes a key, a name or a UUID'],
    [
      'two names for the legion',
      ['--team', 'ENG', '--legion', 'x'],
      'usage.invalid',
      '--legion cannot be combined with --team',
    ],
    ['an unknown forge', ['--team', 'ENG', '--forge', 'svn'], 'usage.invalid', '--forge'],
    ['an invalid repository', ['--team', 'ENG', '--repo', 'app'], 'usage.invalid', '--repo takes OWNER/NAME'],
    [
      'a GitHub repository with a local forge',
      ['--team', 'ENG', '--forge', 'local', '--repo', 'acme/app'],
      'usage.invalid',
      'require --forge github',
    ],
    [
      'a GitHub forge for a repository without a remote',
      ['--team', 'ENG', '--forge', 'github'],
      'repository.missing',
      'has no origin remote',
    ],
    ['a missing base branch', ['--team', 'ENG', '--base', 'nope'], 'workspace.base_missing', 'nope'],
    [
      'an unknown status',
      ['--team', 'ENG', '--status', 'Nope=Ideas'],
      'usage.invalid',
      '--status takes STATUS=COLUMN',
    ],
    [
      'a state with the name of another status',
      ['--team', 'ENG', '--status', 'Backlog=Todo', '--create-missing'],
      'config.columns_ambiguous',
      'The column Todo is mapped to',
    ],
    [
      'two credentials',
      ['--team', 'ENG', '--api-key', 'env:A', '--access-token', 'env:B'],
      'config.invalid',
      'both are set',
    ],
    [
      'a key instead of a reference to it',
      ['--team', 'ENG', '--api-key', 'lin_api_x'],
      'usage.invalid',
      '--api-key',
    ],
  ])('%s', async (_title, options, code, message) => {
    const on = await begin();
    const { error } = await on.init(...options);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
    expect(error?.message).not.toContain('lin_api_x');
    expect(existsSync(on.file)).toBe(false);
    expect(on.writes()).toEqual([]);
  });

  test('a key that is unknown, missing, read-only or without access to the team, and any key while Linear is unavailable', async () => {
    const on = await begin();
    const { people, faults } = on.linear;
    people.team({ key: 'OPS', name: 'Operations', private: true });
    people.user('eve', { guest: true });
    const attempt = async (key: string, ...options: string[]) => {
      const given = ['init', '--linear-url', on.linear.url, '--create-missing', ...options];
      return (await on.runWith(key, ...given)).error;
    };
    expect(await attempt('lin_api_unknown', '--team', 'ENG')).toMatchObject({ code: 'linear.unauthorized' });
    expect(await attempt('', '--team', 'ENG')).toMatchObject({ code: 'linear.unauthorized' });
    expect(await attempt('', '--team', 'ENG', '--api-key', 'env:NOPE')).toMatchObject({
      code: 'config.secret_missing',
    });
    const reader = await attempt(people.apiKey('ada', ['read']), '--team', 'ENG');
    expect(reader).toMatchObject({ code: 'linear.forbidden' });
    expect(reader?.message).toContain('Create a key with the Write permission.');
    expect(await attempt(on.key, '--team', 'OPS')).toMatchObject({ code: 'linear.missing' });
    expect(await attempt(people.apiKey('eve'), '--team', 'ENG')).toMatchObject({ code: 'linear.missing' });
    for (const kind of [503, 'refused'] as const) {
      faults.outage(kind);
      expect(await attempt(on.key, '--team', 'ENG')).toMatchObject({ code: 'linear.unavailable' });
    }
    faults.outage(undefined);
    faults.next({ answer: { rateLimit: 'requests', resetsInSeconds: 60 } });
    expect(await attempt(on.key, '--team', 'ENG')).toMatchObject({ code: 'linear.rate_limited' });
    expect(existsSync(on.file)).toBe(false);
    expect(on.writes()).toEqual([]);
  });

  test('an existing file for another board', async () => {
    const on = await begin({ states: WHOLE });
    on.linear.people.team({ key: 'OPS', name: 'Operations' });
    writeFileSync(on.file, 'legion: shop\n');
    expect((await on.init('--team', 'ENG')).error?.code).toBe('init.exists');
    const local = await on.init('--team', 'ENG', '--create-missing');
    expect(local.error?.message).toContain('uses a board on this machine');
    expect(readFileSync(on.file, 'utf8')).toBe('legion: shop\n');
    expect((await on.init('--team', 'ENG', '--force')).error).toBeUndefined();
    const other = await on.init('--team', 'OPS', '--create-missing');
    expect(other.error).toMatchObject({ code: 'init.exists' });
    expect(other.error?.message).toContain(`uses the board ${on.team} in Linear`);
    expect(on.writes()).toEqual([]);
  });

  test('mutually exclusive options', async () => {
    const on = await begin();
    for (const [options, message] of [
      [['-b', 'local', '--team', 'ENG'], '--team requires --backend linear'],
      [['-b', 'github', '--team', 'ENG'], '--team requires --backend linear'],
      [['-b', 'linear', '--project', 'acme/1'], '--project requires --backend github'],
      [['--project', 'acme/1', '--team', 'ENG'], '--project requires --backend github, but --team requires'],
      [['-b', 'local', '--repo', 'acme/app'], '--repo requires --backend github or linear'],
    ] as const) {
      const { error } = await on.run('init', ...options);
      expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining(message) });
    }
    expect(on.linear.requests()).toEqual([]);
  });
});

describe('the credential', () => {
  test('is written to the file as the reference that was given', async () => {
    const on = await begin({ states: WHOLE });
    const { accessToken } = on.linear.people.app('Legion');
    const env = { ...on.env, LINEAR_API_KEY: '', APP: accessToken };
    const options = ['--team', 'ENG', '--linear-url', on.linear.url, '--access-token', 'env:APP'];
    const { error } = await perform({ cwd: on.home.repository, env }, 'init', ...options);
    expect(error).toBeUndefined();
    expect(written(on).credentials.linear).toEqual({ access_token: 'env:APP' });
  });
});

describe('a legion whose code is on GitHub', () => {
  test('is written to the file with its repositories and token, if the account can write to those repositories', async () => {
    const on = await begin({ states: WHOLE });
    const github = await startGithub();
    try {
      const { people } = github;
      people.organization('acme', ['ada', 'eve']);
      await people.repository('acme/app');
      await people.repository('acme/site');
      for (const repo of ['acme/app', 'acme/site'] as const) people.grant(repo, 'ada', 'WRITE');
      const attempt = (token: string) => {
        const env = { ...on.env, TOKEN: token };
        const places = ['--linear-url', on.linear.url, '--github-url', github.url, '--token', 'env:TOKEN'];
        const options = ['--team', 'ENG', '--repo', 'acme/app', '--repo', 'acme/site', ...places];
        return perform({ cwd: on.home.repository, env }, 'init', ...options);
      };
      expect((await attempt(people.token('ada', []))).error).toMatchObject({ code: 'github.forbidden' });
      expect(existsSync(on.file)).toBe(false);
      const { error } = await attempt(people.token('ada'));
      expect(error).toBeUndefined();
      expect(written(on)).toMatchObject({
        backend: 'linear',
        forge: 'github',
        github: { url: github.url },
        repos: [{ repo: 'acme/app' }, { repo: 'acme/site' }],
        credentials: { linear: { api_key: 'env:LINEAR_API_KEY' }, github: { token: 'env:TOKEN' } },
      });
      expect(readFileSync(on.file, 'utf8')).toContain('# An issue belongs to the first repository');
      expect(on.writes()).toEqual([]);
    } finally {
      await github.close();
    }
  });
});

describe('`legion init` at a terminal', () => {
  const at = ({ home, env }: LinearHome) => ({ cwd: home.repository, env });

  test('lets a person choose the team and its states, and asks before it creates anything', async () => {
    const on = await begin();
    on.linear.people.team({ key: 'OPS', name: 'Operations' });
    on.linear.people.renameState('ENG', 'Backlog', 'Ideas');
    const exit = await answering(
      at(on),
      ['init', '-b', 'linear', '--linear-url', on.linear.url, '--agent', 'codex'],
      [
        ['Where are the pull requests?', ''],
        ['Which team has the issues', ''],
        ['Which column is Triage', ''],
        ['Which column is Icebox', ''],
        ['Which column is Backlog', DOWN],
        ['Create the 14 missing labels', ''],
        ['Create the states Triage, Icebox, Testing, Retro?', ''],
      ],
    );
    expect(exit).toBe(0);
    expect(written(on)).toMatchObject({ legion: on.team, forge: 'local', statuses: { Backlog: ['Ideas'] } });
    expect(stateNames(on)).toHaveLength(11);
    const { out } = await on.run('init', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ missing: { statuses: [], labels: [] }, made: { labels: 0 } });
  });
});
