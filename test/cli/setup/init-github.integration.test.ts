/**
 * Tests `legion init` with a simulated GitHub: what it finds on a board, what it creates there, and
 * what it leaves unchanged.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import type { NewProject } from '../../../simulators/github/simulator.ts';
import { resolveConfig } from '../../../src/config/legion/resolve.ts';
import { LABELS, PULL_REQUEST_LABELS } from '../../../src/core/model/label.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { LAUNCHER } from '../../installed/launcher.ts';
import { answering, DOWN } from '../support/answering.ts';
import { type GithubHome, githubHome, REPO } from '../support/github-home.ts';
import { perform } from '../support/in-process.ts';

const OPEN: GithubHome[] = [];
afterEach(async () => {
  for (const on of OPEN.splice(0)) await on.close();
});

async function begin(project: NewProject = {}): Promise<GithubHome> {
  const on = await githubHome(project);
  OPEN.push(on);
  return on;
}

function fileOf({ home }: GithubHome): string {
  return join(home.repository, 'legion.yaml');
}

function written(on: GithubHome) {
  const path = fileOf(on);
  const resolved = resolveConfig({
    flags: [],
    file: { path, text: readFileSync(path, 'utf8') },
    environment: {},
  });
  if (!resolved.ok) throw new Error(resolved.fault.message);
  return resolved.value.config;
}

/** Returns the requests that changed something on GitHub. */
function writes({ github }: GithubHome): readonly string[] {
  return github.requests().flatMap(({ write, name }) => (write ? [name] : []));
}

const WHOLE = { statuses: STATUSES };

describe('a complete board', () => {
  test('is written to the file together with the current repository, and nothing is created unless requested', async () => {
    const on = await begin(WHOLE);
    const { out, exit } = await on.init('-b', 'github', '--project', 'ACME/1', '--agent', 'codex');
    expect(exit).toBe(0);
    expect(out).toContain(`acme/1: The app\n${on.github.url}/orgs/acme/projects/1\n`);
    expect(out).toContain('acme/1 is ready\n');
    expect(written(on)).toMatchObject({
      legion: 'acme/1',
      backend: 'github',
      forge: 'github',
      repos: [{ repo: REPO }],
      statuses: {},
      github: { url: on.github.url },
      credentials: { github: { token: 'env:TOKEN' } },
      agents: { default: { agent: 'codex' } },
    });
    expect(readFileSync(fileOf(on), 'utf8')).not.toContain(on.token);
    expect(writes(on)).toEqual([]);
  });

  test('can be given by its URL, together with several repositories, in a folder that is not a repository', async () => {
    const on = await begin(WHOLE);
    await on.github.people.repository('acme/site');
    on.github.people.grant('acme/site', 'ada', 'MAINTAIN');
    const cwd = mkdtempSync(join(inject('scratch'), 'init-'));
    const address = `${on.github.url}/orgs/acme/projects/1/views/2`;
    const options = [
      '--github-url',
      on.github.url,
      '--token',
      'env:TOKEN',
      '--repo',
      REPO,
      '--repo',
      'acme/site',
    ];
    const here = { cwd, env: on.env };
    const { error } = await perform(here, 'init', '--project', address, ...options, '--base', 'main');
    expect(error).toBeUndefined();
    expect(parse(readFileSync(join(cwd, 'legion.yaml'), 'utf8'))).toMatchObject({
      repos: [{ repo: REPO, base: 'main' }, { repo: 'acme/site' }],
    });
  });

  test('can belong to a person', async () => {
    const on = await begin();
    on.github.people.project('ada', WHOLE);
    const { error } = await on.init('--project', 'ada/1');
    expect(error).toBeUndefined();
    expect(written(on).legion).toBe('ada/1');
  });
});

describe('columns with other names', () => {
  test('are mapped to statuses by case, alias, punctuation or an option, and are not created again', async () => {
    const statuses = [
      ...['triage', 'Icebox', 'Ideas', 'To-do', 'In progress', 'Testing', 'In Review', 'Retro', 'Done'],
    ];
    const on = await begin({ statuses: [...statuses, 'Parking'] });
    const { out } = await on.init('--project', 'acme/1', '--status', 'backlog=Ideas', '--create-missing');
    expect(written(on).statuses).toEqual({
      Triage: ['triage'],
      Backlog: ['Ideas'],
      Todo: ['To-do'],
      'In Progress': ['In progress'],
      'Needs Review': ['In Review'],
    });
    expect(out).toContain('Columns that Legion ignores: Parking\n');
    expect(writes(on)).toEqual(['MakeLabels']);
  });
});

describe('missing columns and labels', () => {
  test('are reported but not created, and the output explains how to add them manually', async () => {
    const on = await begin();
    const { out, exit } = await on.init('--project', 'acme/1');
    expect(exit).toBe(0);
    expect(out).toMatch(/^Triage {12,}missing$/m);
    expect(out).toMatch(/^labels of acme\/app {2}16 missing$/m);
    expect(out).toContain('acme/1 is not ready yet\n');
    expect(out).toContain('Issues cannot be moved to Triage, Icebox, Backlog, Testing, Needs Review, Retro.');
    expect(out).toContain(`at ${on.github.url}/orgs/acme/projects/1/settings.\n`);
    expect(out).toContain('Fix this before workers can start');
    expect(out).toContain(
      'The board has no column for Triage, Icebox, Backlog, Testing, Needs Review, Retro: issues cannot be moved there.',
    );
    expect(writes(on)).toEqual([]);
  });

  test('are created once on request on a board without items', async () => {
    const on = await begin();
    on.github.people.issue(REPO, { author: 'ada', title: 'In no column', project: 'acme/1' });
    const { out } = await on.init('--project', 'acme/1', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({
      made: {
        statuses: ['Triage', 'Icebox', 'Backlog', 'Testing', 'Needs Review', 'Retro'],
        labels: LABELS.length + PULL_REQUEST_LABELS.length,
      },
      missing: { statuses: [], labels: [] },
      preflight: { problems: [] },
      written: [fileOf(on)],
    });
    expect(writes(on)).toEqual(['MakeLabels', 'WriteStatusOptions']);
    const again = await on.run('init', '--create-missing', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ made: { statuses: [], labels: 0 }, written: [] });
    expect(writes(on)).toHaveLength(2);
  });

  test('are not created on a board with items, unless --rewrite-options is given', async () => {
    const on = await begin();
    fill(on);
    const { out } = await on.init('--project', 'acme/1', '--create-missing');
    expect(out).toContain('legion init --create-missing --rewrite-options');
    expect(writes(on)).toEqual(['MakeLabels']);
    expect(on.columns()).toEqual(COLUMNS);
  });
});

/**
 * More items than two requests can read, spread over every column of a new project. One item is
 * archived.
 */
const COLUMNS = Array.from({ length: 45 }, (_, index) => ['Todo', 'In Progress', 'Done'][index % 3]);

function fill({ github }: GithubHome): void {
  const { people } = github;
  for (const [index, status] of COLUMNS.entries()) {
    const title = `Issue ${index}`;
    people.issue(REPO, { author: 'ada', title, project: 'acme/1', ...(status !== undefined && { status }) });
  }
  people.archive('ada', 'acme/1', REPO, 3);
}

/** Fills the board with items and writes a legion.yaml that sets no delay between writes. */
async function withItems(): Promise<GithubHome> {
  const on = await begin();
  fill(on);
  const credentials = '{ github: { token: "env:TOKEN" } }';
  const github = `{ url: ${on.github.url}, write_spacing: 0s }`;
  writeFileSync(
    fileOf(on),
    `legion: acme/1\nbackend: github\ngithub: ${github}\nrepos: [${REPO}]\ncredentials: ${credentials}\n`,
  );
  return on;
}

/** Returns the positions of the archived items. */
async function archived({ github, token }: GithubHome): Promise<readonly number[]> {
  const items = 'items(first: 100) { nodes { isArchived } }';
  const query = `{ organization(login: "acme") { projectV2(number: 1) { ${items} } } }`;
  const response = await fetch(`${github.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `bearer ${token}`, connection: 'close' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as {
    data: { organization: { projectV2: { items: { nodes: { isArchived: boolean }[] } } } };
  };
  return data.organization.projectV2.items.nodes.flatMap(({ isArchived }, at) => (isArchived ? [at] : []));
}

const REWRITE = ['init', '--create-missing', '--rewrite-options'] as const;

describe('--rewrite-options on a board with items', () => {
  test('keeps every item in its column and leaves the file unchanged', async () => {
    const on = await withItems();
    const before = readFileSync(fileOf(on), 'utf8');
    const { out, err, error } = await on.run(...REWRITE);
    expect(error).toBeUndefined();
    const note = join(on.state, 'status-options.json');
    expect(err).toContain(`saved in ${note}. If this is interrupted, run the same command again.`);
    expect(out).toContain('items moved back to their columns: 45\n');
    expect(on.columns()).toEqual(COLUMNS);
    expect(readFileSync(fileOf(on), 'utf8')).toBe(before);
    expect(existsSync(join(on.state, 'status-options.json'))).toBe(false);
    expect(await archived(on)).toEqual([2]);
  });

  test('continues if the command is repeated after a kill, and keeps changes that people made in between', async () => {
    const on = await withItems();
    on.github.faults.next({ matching: 'PutItemsBack', answer: { timeout: true } });
    const child = spawn(process.execPath, [LAUNCHER, ...REWRITE], {
      cwd: on.home.repository,
      env: on.env,
      stdio: 'ignore',
    });
    const isAt = () => on.github.requests().some(({ name }) => name === 'PutItemsBack');
    for (let look = 0; !isAt() && look < 2_000; look += 1) await sleep(10);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(on.columns()).toEqual(COLUMNS.map(() => null));
    expect(existsSync(join(on.state, 'status-options.json'))).toBe(true);
    const sick = await on.run('doctor');
    expect(sick.out).toContain('some items are not back in their columns');
    expect(sick.exit).toBe(1);

    on.github.people.move('ada', 'acme/1', REPO, 1, 'Testing');
    on.github.people.removeFromProject('acme/1', REPO, 2);
    expect((await on.run(...REWRITE)).error).toBeUndefined();
    expect(on.columns()).toEqual(['Testing', undefined, ...COLUMNS.slice(2)]);
    expect(existsSync(join(on.state, 'status-options.json'))).toBe(false);
  });

  test.each([
    ['WriteStatusOptions', true],
    ['WriteStatusOptions', false],
    ['PutItemsBack', true],
    ['PutItemsBack', false],
  ])(
    'loses nothing if the request %s gets no response (request executed: %s)',
    async (matching, executed) => {
      const on = await withItems();
      on.github.faults.next({ matching, answer: { status: 502 }, executed });
      const first = await on.run(...REWRITE);
      const goesOn = matching === 'WriteStatusOptions' && executed;
      expect(first.error?.code).toBe(goesOn ? undefined : 'github.unavailable');
      if (!goesOn) expect(first.error?.message).toContain('Run the same command again to continue');
      expect((await on.run(...REWRITE)).error).toBeUndefined();
      expect(on.columns()).toEqual(COLUMNS);
      expect(existsSync(join(on.state, 'status-options.json'))).toBe(false);
    },
  );

  test('is refused if the account cannot see an item, because the item could not be moved back', async () => {
    const on = await withItems();
    const { people } = on.github;
    await people.repository('bob/secret', { private: true });
    const number = people.issue('bob/secret', { author: 'bob', title: 'Hidden' });
    people.addToProject('acme/1', 'bob/secret', number, 'Done');
    const { error } = await on.run(...REWRITE);
    expect(error).toMatchObject({ code: 'github.forbidden' });
    expect(error?.message).toContain('cannot see some items of the project');
    expect(writes(on).filter((name) => name !== 'MakeLabels')).toEqual([]);
  });

  test('if the file with the saved columns cannot be read, leaves it in place and reports its path', async () => {
    const on = await withItems();
    await on.run(...REWRITE);
    const note = join(on.state, 'status-options.json');
    writeFileSync(note, '{"board":');
    const { error } = await on.run(...REWRITE);
    expect(error).toMatchObject({ code: 'input.invalid', message: expect.stringContaining(note) });
    expect(existsSync(note)).toBe(true);
    rmSync(note);
  });
});

describe('`legion init` rejects, without writing anything,', () => {
  test.each<readonly [string, readonly string[], string, string]>([
    ['a call without a project', [], 'usage.invalid', 'Open projects of acme: acme/1 (The app)'],
    ['a missing project', ['--project', 'acme/7'], 'github.missing', 'Project acme/7 does not exist'],
    ['a missing owner', ['--project', 'nobody/1'], 'github.missing', 'Project nobody/1 does not exist'],
    ['an invalid project', ['--project', 'acme'], 'usage.invalid', '--project takes OWNER/NUMBER'],
    [
      'a missing repository',
      ['--project', 'acme/1', '--repo', 'acme/none'],
      'github.forbidden',
      'acme/none: the repository does not exist',
    ],
    [
      'an invalid repository',
      ['--project', 'acme/1', '--repo', 'app'],
      'usage.invalid',
      '--repo takes OWNER/NAME',
    ],
    [
      'an unknown status',
      ['--project', 'acme/1', '--status', 'Nope=Ideas'],
      'usage.invalid',
      '--status takes STATUS=COLUMN',
    ],
    [
      'two statuses mapped to one column',
      ['--project', 'acme/1', '--status', 'Backlog=Todo', '--status', 'Todo=Todo', '--create-missing'],
      'config.columns_ambiguous',
      'Todo',
    ],
    [
      'a missing column',
      ['--project', 'acme/1', '--status', 'Backlog=Ideas'],
      'tracker.column_missing',
      'no column Ideas. Its columns: Todo',
    ],
    [
      'a column with the name of another status',
      ['--project', 'acme/1', '--status', 'Backlog=Todo', '--create-missing'],
      'config.columns_ambiguous',
      'The column Todo is mapped to',
    ],
    [
      'two names for the legion',
      ['--project', 'acme/1', '--legion', 'x'],
      'usage.invalid',
      '--legion cannot be combined with --project',
    ],
  ])('%s', async (_title, options, code, message) => {
    const on = await begin();
    const { error } = await on.init('-b', 'github', ...options);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
    expect(existsSync(fileOf(on))).toBe(false);
    expect(writes(on)).toEqual([]);
  });

  test('a token without scopes or permissions, an unknown token, or no token', async () => {
    const on = await begin();
    const { people } = on.github;
    people.user('eve');
    const attempt = async (token: string) => {
      const here = { cwd: on.home.repository, env: { ...on.env, TOKEN: token } };
      const options = ['--github-url', on.github.url, '--token', 'env:TOKEN', '--project', 'acme/1'];
      return (await perform(here, 'init', ...options)).error;
    };
    const weak = await attempt(people.token('ada', ['repo']));
    expect(weak).toMatchObject({ code: 'github.forbidden' });
    expect(weak?.message).toContain(
      'the token lacks required scopes: project. Give the token the scopes repo and project',
    );
    expect(await attempt(people.token('eve'))).toMatchObject({ code: 'github.missing' });
    expect(await attempt('ghp_unknown')).toMatchObject({ code: 'github.unauthorized' });
    expect(await attempt('')).toMatchObject({ code: 'config.secret_missing' });
    on.github.faults.outage(503);
    expect(await attempt(people.token('ada'))).toMatchObject({ code: 'github.unavailable' });
    expect(existsSync(fileOf(on))).toBe(false);
  });

  test('an existing file for this board or another one', async () => {
    const on = await begin(WHOLE);
    writeFileSync(fileOf(on), 'legion: shop\n');
    expect((await on.init('--project', 'acme/1')).error?.code).toBe('init.exists');
    const { error } = await on.init('--project', 'acme/1', '--create-missing');
    expect(error?.message).toContain('uses a board on this machine');
    expect(readFileSync(fileOf(on), 'utf8')).toBe('legion: shop\n');
    expect((await on.init('--project', 'acme/1', '--force')).exit).toBe(0);
    expect(written(on).legion).toBe('acme/1');
  });

  test('mutually exclusive options', async () => {
    const on = await begin();
    for (const [options, message] of [
      [['-b', 'local', '--project', 'acme/1'], '--project requires --backend github'],
      [['-b', 'jira'], '--backend takes local, github or linear, got "jira"'],
      [['-b'], '-b needs a value'],
    ] as const) {
      const { error } = await on.run('init', ...options);
      expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining(message) });
    }
  });
});

describe('`legion init` at a terminal', () => {
  const at = ({ home, env }: GithubHome) => ({ cwd: home.repository, env });

  test('lets a person choose the board and its columns, and asks before it creates anything', async () => {
    const on = await begin({ statuses: ['Ideas', 'Todo', 'In Progress', 'Done'] });
    const options = [
      '-b',
      'github',
      '--github-url',
      on.github.url,
      '--token',
      'env:TOKEN',
      '--agent',
      'codex',
    ];
    const exit = await answering(
      at(on),
      ['init', ...options],
      [
        ['Which project has the issues?', ''],
        ['Which column is Triage', ''],
        ['Which column is Icebox', ''],
        ['Which column is Backlog', DOWN],
        ['Create the 16 missing labels', ''],
        ['Create the columns Triage, Icebox, Testing, Needs Review, Retro?', ''],
      ],
    );
    expect(exit).toBe(0);
    expect(written(on)).toMatchObject({ legion: 'acme/1', statuses: { Backlog: ['Ideas'] } });
    expect(writes(on)).toEqual(['MakeLabels', 'WriteStatusOptions']);
    const { out } = await on.run('init', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ missing: { statuses: [], labels: [] } });
  });

  test('by default, does not change the columns of a board with items, but leaves that to the person', async () => {
    const on = await begin();
    fill(on);
    const options = [
      '--project',
      'acme/1',
      '--github-url',
      on.github.url,
      '--token',
      'env:TOKEN',
      '--workers',
      '2',
    ];
    const exit = await answering(
      at(on),
      ['init', ...options],
      [
        ['Create the 16 missing labels', ''],
        ['Create the columns Triage', ''],
      ],
    );
    expect(exit).toBe(0);
    expect(writes(on)).toEqual(['MakeLabels']);
    expect(on.columns()).toEqual(COLUMNS);
  });

  test('sets up a local legion if the person accepts every default', async () => {
    const on = await begin();
    const questions = [
      'Where are the issues?',
      'Which agent',
      'Name of the legion',
      'Maximum number of workers',
    ];
    const more = ['Specifications', 'Merges'];
    const exit = await answering(
      at(on),
      ['init'],
      [...questions, ...more].map((question) => [question, '']),
    );
    expect(exit).toBe(0);
    expect(written(on)).toMatchObject({ legion: 'shop', backend: 'local' });
    expect(on.github.requests()).toEqual([]);
  });
});
