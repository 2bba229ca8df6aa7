/** `legion init` on a simulated Linear: which team it finds, what it makes there, and what it leaves alone. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { startGithub } from '../../../simulators/github/start.ts';
import type { NewTeam } from '../../../simulators/linear/simulator.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { LABELS } from '../../../src/domain/label.ts';
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

describe('a team that has every state', () => {
  test('is written down by its UUID, and nothing is made without being asked', async () => {
    const on = await begin({ states: WHOLE });
    const { out, exit, error } = await on.init('-b', 'linear', '--team', 'eng', '--agent', 'codex');
    expect(error).toBeUndefined();
    expect(exit).toBe(0);
    expect(out).toContain('ENG: Engineering\n');
    expect(out).toContain('ENG is ready to begin\n');
    expect(written(on)).toMatchObject({
      ...{ legion: on.team, short_id: 'eng', backend: 'linear', forge: 'local', repos: [], statuses: {} },
      ...{ linear: { url: on.linear.url }, agents: { default: { agent: 'codex' } } },
      credentials: { linear: { api_key: 'env:LINEAR_API_KEY' } },
    });
    expect(readFileSync(on.file, 'utf8')).not.toContain(on.key);
    expect(on.writes()).toEqual([]);
  });

  test.each([
    ['its name', 'engineering'],
    ['its key', 'ENG'],
  ])('is found by %s', async (_title, text) => {
    const on = await begin({ states: WHOLE });
    expect((await on.init('--team', text)).error).toBeUndefined();
    expect(written(on).legion).toBe(on.team);
  });

  test('is found by its UUID, also as the name of the legion', async () => {
    const on = await begin({ states: WHOLE });
    expect((await on.init('--team', on.team)).error).toBeUndefined();
    expect((await on.init('-b', 'linear', '--legion', on.team, '--force')).error).toBeUndefined();
    expect(written(on).legion).toBe(on.team);
  });

  test('a second time nothing is changed, neither here nor there', async () => {
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

describe('what is missing', () => {
  test('is told and not made', async () => {
    const on = await begin();
    const { out, exit } = await on.init('--team', 'ENG');
    expect(exit).toBe(0);
    expect(out).toMatch(/^Testing +missing$/m);
    expect(out).toMatch(/^Needs Review +In Review$/m);
    expect(out).toMatch(/^labels +14 missing$/m);
    expect(out).toContain('ENG is not ready yet\n');
    expect(out).toContain('Issues cannot be moved to Triage, Icebox, Testing, Retro:');
    expect(out).toContain('No worker starts before this is solved');
    expect(out).toContain('The board has no column for Triage, Icebox, Testing, Retro');
    // With the local forge nothing checks a change yet either.
    expect(out).toContain('neither commands.ci nor commands.quality_gate');
    expect(written(on).statuses).toEqual({ 'Needs Review': ['In Review'] });
    expect(on.writes()).toEqual([]);
  });

  test('is made where that is asked for, once; a state that only has another name is not', async () => {
    const on = await begin();
    const { out, error } = await on.init('--team', 'ENG', '--create-missing', '--json');
    expect(error).toBeUndefined();
    expect(JSON.parse(out)).toMatchObject({
      ...{ legion: on.team, team: { key: 'ENG', name: 'Engineering' }, forge: 'local' },
      made: { statuses: ['Triage', 'Icebox', 'Testing', 'Retro'], labels: LABELS.length },
      ...{ missing: { statuses: [], labels: [] }, written: [on.file] },
      preflight: { problems: [{ code: 'preflight.unchecked' }] },
    });
    const names = stateNames(on);
    expect(names).toHaveLength(11);
    expect(names).toEqual(expect.arrayContaining(['Triage', 'Icebox', 'Testing', 'Retro', 'In Review']));
    expect(names).not.toContain('Needs Review');
    const own = on.linear.snapshot().labels.map(({ name }) => name);
    expect(own.filter((name) => LABELS.some((label) => label === name))).toHaveLength(LABELS.length);
  });

  test('a label of the workspace does, and one in other letters', async () => {
    const on = await begin({ states: WHOLE });
    on.linear.people.label({ name: 'Worker-Active' });
    on.linear.people.label({ name: 'needs-approval', team: 'ENG' });
    const { out } = await on.init('--team', 'ENG', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ made: { labels: LABELS.length - 2 } });
  });

  test('a state by another name is mapped by an option, and made by it where there is none', async () => {
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

  test('Linear’s own Triage is known by its type', async () => {
    const on = await begin({ triage: true });
    on.linear.people.renameState('ENG', 'Triage', 'Incoming');
    await on.init('--team', 'ENG', '--create-missing');
    expect(written(on).statuses).toMatchObject({ Triage: ['Incoming'] });
    expect(stateNames(on)).not.toContain('Triage');
  });

  test('of a type that cannot be, is told and left to the person', async () => {
    const states = WHOLE.map((state) =>
      state.name === 'Testing' ? ({ ...state, type: 'completed' } as const) : state,
    );
    const on = await begin({ states });
    const { out } = await on.init('--team', 'ENG');
    expect(out).toContain('ENG is not ready yet\n');
    expect(out).toContain('The state Testing is of the type completed, but Testing must not be an end');
  });

  test('whose answer was lost is found again, and made once', async () => {
    const on = await begin();
    on.linear.faults.next({ matching: 'CreateState', answer: { status: 502 }, executed: true });
    expect((await on.init('--team', 'ENG', '--create-missing')).error).toBeUndefined();
    expect(stateNames(on).filter((name) => name === 'Triage')).toHaveLength(1);
  });

  test('and cannot be made in the midst of it leaves no file, and the same command goes on', async () => {
    const on = await begin();
    on.linear.faults.next({ matching: 'CreateLabel', answer: { status: 503 } });
    const first = await on.init('--team', 'ENG', '--create-missing');
    expect(first.error).toMatchObject({ code: 'linear.unavailable' });
    expect(first.error?.message).toContain('run the same command again to go on');
    expect(existsSync(on.file)).toBe(false);
    expect((await on.init('--team', 'ENG', '--create-missing')).error).toBeUndefined();
    expect(new Set(stateNames(on)).size).toBe(stateNames(on).length);
  });
});

describe('what cannot be right is refused, and nothing is written', () => {
  test.each<readonly [string, readonly string[], string, string]>([
    ['no team', ['-b', 'linear'], 'usage.invalid', '--team KEY is needed; there are ENG (Engineering)'],
    ['a team that is not there', ['--team', 'ENX'], 'linear.missing', 'there is no team "ENX"'],
    ['an empty team', ['--team', ' '], 'usage.invalid', '--team takes a key, a name or a UUID'],
    ['two names', ['--team', 'ENG', '--legion', 'x'], 'usage.invalid', 'leave --legion out'],
    ['a forge that is none', ['--team', 'ENG', '--forge', 'svn'], 'usage.invalid', '--forge'],
    ['no repository', ['--team', 'ENG', '--repo', 'app'], 'usage.invalid', '--repo takes OWNER/NAME'],
    [
      'a repository of GitHub for a local forge',
      ['--team', 'ENG', '--forge', 'local', '--repo', 'acme/app'],
      'usage.invalid',
      'are for --forge github',
    ],
    [
      'GitHub without a remote',
      ['--team', 'ENG', '--forge', 'github'],
      'repository.missing',
      'has no remote origin',
    ],
    ['a base that is not there', ['--team', 'ENG', '--base', 'nope'], 'workspace.base_missing', 'nope'],
    [
      'no status',
      ['--team', 'ENG', '--status', 'Nope=Ideas'],
      'usage.invalid',
      '--status takes STATUS=COLUMN',
    ],
    [
      'a state of another status',
      ['--team', 'ENG', '--status', 'Backlog=Todo', '--create-missing'],
      'config.columns_ambiguous',
      'the column Todo is given to',
    ],
    [
      'two credentials',
      ['--team', 'ENG', '--api-key', 'env:A', '--access-token', 'env:B'],
      'config.invalid',
      'both are there',
    ],
    [
      'a key in place of its reference',
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

  test('a key that is unknown, may only read, sees another team only, or is not there; Linear that is away', async () => {
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
    expect(reader?.message).toContain('Make a key with the permission Write.');
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

  test('a file that is there, about another board', async () => {
    const on = await begin({ states: WHOLE });
    on.linear.people.team({ key: 'OPS', name: 'Operations' });
    writeFileSync(on.file, 'legion: shop\n');
    expect((await on.init('--team', 'ENG')).error?.code).toBe('init.exists');
    const local = await on.init('--team', 'ENG', '--create-missing');
    expect(local.error?.message).toContain('has its board on this machine');
    expect(readFileSync(on.file, 'utf8')).toBe('legion: shop\n');
    expect((await on.init('--team', 'ENG', '--force')).error).toBeUndefined();
    const other = await on.init('--team', 'OPS', '--create-missing');
    expect(other.error).toMatchObject({ code: 'init.exists' });
    expect(other.error?.message).toContain(`is about ${on.team} in Linear`);
    expect(on.writes()).toEqual([]);
  });

  test('options that do not go together', async () => {
    const on = await begin();
    for (const [options, message] of [
      [['-b', 'local', '--team', 'ENG'], '--team is for --backend linear'],
      [['-b', 'github', '--team', 'ENG'], '--team is for --backend linear'],
      [['-b', 'linear', '--project', 'acme/1'], '--project is for --backend github'],
      [['--project', 'acme/1', '--team', 'ENG'], '--project is for --backend github, --team for'],
      [['-b', 'local', '--repo', 'acme/app'], '--repo is for --backend github or linear'],
    ] as const) {
      const { error } = await on.run('init', ...options);
      expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining(message) });
    }
    expect(on.linear.requests()).toEqual([]);
  });
});

describe('who Legion is', () => {
  test('is named as it was given', async () => {
    const on = await begin({ states: WHOLE });
    const { accessToken } = on.linear.people.app('Legion');
    const env = { ...on.env, LINEAR_API_KEY: '', APP: accessToken };
    const options = ['--team', 'ENG', '--linear-url', on.linear.url, '--access-token', 'env:APP'];
    const { error } = await perform({ cwd: on.home.repository, env }, 'init', ...options);
    expect(error).toBeUndefined();
    expect(written(on).credentials.linear).toEqual({ access_token: 'env:APP' });
  });
});

describe('with its code on GitHub', () => {
  test('the repositories and the token are written down, once the account may write to them', async () => {
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
        ...{ backend: 'linear', forge: 'github', github: { url: github.url } },
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

describe('at a terminal', () => {
  const at = ({ home, env }: LinearHome) => ({ cwd: home.repository, env });

  test('a person chooses the team and its states, and agrees to what is made', async () => {
    const on = await begin();
    on.linear.people.team({ key: 'OPS', name: 'Operations' });
    on.linear.people.renameState('ENG', 'Backlog', 'Ideas');
    const exit = await answering(
      at(on),
      ['init', '-b', 'linear', '--linear-url', on.linear.url, '--agent', 'codex'],
      [
        ['Where pull requests live', ''],
        ['Which team has the issues', ''],
        ['Which column is Triage', ''],
        ['Which column is Icebox', ''],
        ['Which column is Backlog', DOWN],
        ['Make the 14 labels', ''],
        ['Make the states Triage, Icebox, Testing, Retro?', ''],
      ],
    );
    expect(exit).toBe(0);
    expect(written(on)).toMatchObject({ legion: on.team, forge: 'local', statuses: { Backlog: ['Ideas'] } });
    expect(stateNames(on)).toHaveLength(11);
    const { out } = await on.run('init', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ missing: { statuses: [], labels: [] }, made: { labels: 0 } });
  });
});
