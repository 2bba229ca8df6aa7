/** `legion init` on a simulated GitHub: what it finds on a board, what it makes there, and what it leaves alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import type { NewProject } from '../../../simulators/github/simulator.ts';
import { resolveConfig } from '../../../src/config/legion/resolve.ts';
import { STATUSES } from '../../../src/core/model/status.ts';
import { LABELS, PULL_REQUEST_LABELS } from '../../../src/domain/label.ts';
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

/** Those that change something on GitHub. */
function writes({ github }: GithubHome): readonly string[] {
  return github.requests().flatMap(({ write, name }) => (write ? [name] : []));
}

const WHOLE = { statuses: STATUSES };

describe('a board that has everything', () => {
  test('is written down with the repository around here, and nothing is made without being asked', async () => {
    const on = await begin(WHOLE);
    const { out, exit } = await on.init('-b', 'github', '--project', 'ACME/1', '--agent', 'codex');
    expect(exit).toBe(0);
    expect(out).toContain(`acme/1: The app\n${on.github.url}/orgs/acme/projects/1\n`);
    expect(out).toContain('acme/1 is ready to begin\n');
    expect(written(on)).toMatchObject({
      ...{ legion: 'acme/1', backend: 'github', forge: 'github', repos: [{ repo: REPO }], statuses: {} },
      ...{ github: { url: on.github.url }, credentials: { github: { token: 'env:TOKEN' } } },
      agents: { default: { agent: 'codex' } },
    });
    expect(readFileSync(fileOf(on), 'utf8')).not.toContain(on.token);
    expect(writes(on)).toEqual([]);
  });

  test('is found by its address, and several repositories are taken in a folder that is none', async () => {
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

  test('of a person does as well', async () => {
    const on = await begin();
    on.github.people.project('ada', WHOLE);
    const { error } = await on.init('--project', 'ada/1');
    expect(error).toBeUndefined();
    expect(written(on).legion).toBe('ada/1');
  });
});

describe('columns with other names', () => {
  test('are mapped by case, alias, marks or an option, and not made', async () => {
    const statuses = [
      ...['triage', 'Icebox', 'Ideas', 'To-do', 'In progress', 'Testing', 'In Review', 'Retro', 'Done'],
    ];
    const on = await begin({ statuses: [...statuses, 'Parking'] });
    const { out } = await on.init('--project', 'acme/1', '--status', 'backlog=Ideas', '--create-missing');
    expect(written(on).statuses).toEqual({
      ...{ Triage: ['triage'], Backlog: ['Ideas'], Todo: ['To-do'], 'In Progress': ['In progress'] },
      'Needs Review': ['In Review'],
    });
    expect(out).toContain('Legion leaves alone: Parking\n');
    expect(writes(on)).toEqual(['MakeLabels']);
  });
});

describe('what is missing', () => {
  test('is told and not made, and how to add it by hand', async () => {
    const on = await begin();
    const { out, exit } = await on.init('--project', 'acme/1');
    expect(exit).toBe(0);
    expect(out).toMatch(/^Triage {12,}missing$/m);
    expect(out).toMatch(/^labels of acme\/app {2}16 missing$/m);
    expect(out).toContain('acme/1 is not ready yet\n');
    expect(out).toContain('Issues cannot be moved to Triage, Icebox, Backlog, Testing, Needs Review, Retro:');
    expect(out).toContain(`at ${on.github.url}/orgs/acme/projects/1/settings.\n`);
    expect(out).toContain('No worker starts before this is solved');
    expect(out).toContain(
      'The board has no column for Triage, Icebox, Backlog, Testing, Needs Review, Retro: issues could not be moved there.',
    );
    expect(writes(on)).toEqual([]);
  });

  test('is made on a board without items where that is asked for, once', async () => {
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

  test('is not made on a board with items, unless rewriting its options is asked for by name', async () => {
    const on = await begin();
    fill(on);
    const { out } = await on.init('--project', 'acme/1', '--create-missing');
    expect(out).toContain('legion init --create-missing --rewrite-options');
    expect(writes(on)).toEqual(['MakeLabels']);
    expect(on.columns()).toEqual(COLUMNS);
  });
});

/** More than two requests take, in every column that a new project has, one of them archived. */
const COLUMNS = Array.from({ length: 45 }, (_, index) => ['Todo', 'In Progress', 'Done'][index % 3]);

function fill({ github }: GithubHome): void {
  const { people } = github;
  for (const [index, status] of COLUMNS.entries()) {
    const title = `Issue ${index}`;
    people.issue(REPO, { author: 'ada', title, project: 'acme/1', ...(status !== undefined && { status }) });
  }
  people.archive('ada', 'acme/1', REPO, 3);
}

/** With a legion of its own, whose writes need not wait. */
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

/** The places of the items that are in the archive. */
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

describe('rewriting the options of a board with items', () => {
  test('keeps every item in its column, and the file as it is', async () => {
    const on = await withItems();
    const before = readFileSync(fileOf(on), 'utf8');
    const { out, err, error } = await on.run(...REWRITE);
    expect(error).toBeUndefined();
    const note = join(on.state, 'status-options.json');
    expect(err).toContain(`noted in ${note}. If this is interrupted, run the same command again.`);
    expect(out).toContain('items put back into their columns: 45\n');
    expect(on.columns()).toEqual(COLUMNS);
    expect(readFileSync(fileOf(on), 'utf8')).toBe(before);
    expect(existsSync(join(on.state, 'status-options.json'))).toBe(false);
    expect(await archived(on)).toEqual([2]);
  });

  test('killed in between, is gone on with by the same command; what people have done meanwhile stays', async () => {
    const on = await withItems();
    on.github.faults.next({ matching: 'PutItemsBack', answer: { timeout: true } });
    const child = spawn(process.execPath, [LAUNCHER, ...REWRITE], {
      ...{ cwd: on.home.repository, env: on.env, stdio: 'ignore' },
    });
    const isAt = () => on.github.requests().some(({ name }) => name === 'PutItemsBack');
    for (let look = 0; !isAt() && look < 2_000; look += 1) await sleep(10);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(on.columns()).toEqual(COLUMNS.map(() => null));
    expect(existsSync(join(on.state, 'status-options.json'))).toBe(true);
    const sick = await on.run('doctor');
    expect(sick.out).toContain('items are not all back');
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
  ])('without an answer to %s (executed: %s) loses nothing', async (matching, executed) => {
    const on = await withItems();
    on.github.faults.next({ matching, answer: { status: 502 }, executed });
    const first = await on.run(...REWRITE);
    const goesOn = matching === 'WriteStatusOptions' && executed;
    expect(first.error?.code).toBe(goesOn ? undefined : 'github.unavailable');
    if (!goesOn) expect(first.error?.message).toContain('run the same command again to go on');
    expect((await on.run(...REWRITE)).error).toBeUndefined();
    expect(on.columns()).toEqual(COLUMNS);
    expect(existsSync(join(on.state, 'status-options.json'))).toBe(false);
  });

  test('is refused where an item may not be seen, because nobody could put it back', async () => {
    const on = await withItems();
    const { people } = on.github;
    await people.repository('bob/secret', { private: true });
    const number = people.issue('bob/secret', { author: 'bob', title: 'Hidden' });
    people.addToProject('acme/1', 'bob/secret', number, 'Done');
    const { error } = await on.run(...REWRITE);
    expect(error).toMatchObject({ code: 'github.forbidden' });
    expect(error?.message).toContain('some items of the project may not be seen');
    expect(writes(on).filter((name) => name !== 'MakeLabels')).toEqual([]);
  });

  test('a note that cannot be read is kept and named', async () => {
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

describe('what cannot be right is refused, and nothing is written', () => {
  test.each<readonly [string, readonly string[], string, string]>([
    ['no project', [], 'usage.invalid', 'open ones of acme are acme/1 (The app)'],
    ['a project that is not there', ['--project', 'acme/7'], 'github.missing', 'there is no project acme/7'],
    ['an owner that is not there', ['--project', 'nobody/1'], 'github.missing', 'no project nobody/1'],
    ['no project at all', ['--project', 'acme'], 'usage.invalid', '--project takes OWNER/NUMBER'],
    [
      'a repository that is not there',
      ['--project', 'acme/1', '--repo', 'acme/none'],
      'github.forbidden',
      'acme/none: it is not there',
    ],
    ['no repository', ['--project', 'acme/1', '--repo', 'app'], 'usage.invalid', '--repo takes OWNER/NAME'],
    [
      'no status',
      ['--project', 'acme/1', '--status', 'Nope=Ideas'],
      'usage.invalid',
      '--status takes STATUS=COLUMN',
    ],
    [
      'two statuses in one column',
      ['--project', 'acme/1', '--status', 'Backlog=Todo', '--status', 'Todo=Todo', '--create-missing'],
      'config.columns_ambiguous',
      'Todo',
    ],
    [
      'a column that is not there',
      ['--project', 'acme/1', '--status', 'Backlog=Ideas'],
      'tracker.column_missing',
      'no column Ideas, only Todo',
    ],
    [
      'a column of another status',
      ['--project', 'acme/1', '--status', 'Backlog=Todo', '--create-missing'],
      'config.columns_ambiguous',
      'the column Todo is given to',
    ],
    ['two names', ['--project', 'acme/1', '--legion', 'x'], 'usage.invalid', 'leave --legion out'],
  ])('%s', async (_title, options, code, message) => {
    const on = await begin();
    const { error } = await on.init('-b', 'github', ...options);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
    expect(existsSync(fileOf(on))).toBe(false);
    expect(writes(on)).toEqual([]);
  });

  test('a token without its scopes, without rights, unknown, or none', async () => {
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
    expect(weak?.message).toContain('the token lacks project. Give the token the scopes repo and project');
    expect(await attempt(people.token('eve'))).toMatchObject({ code: 'github.missing' });
    expect(await attempt('ghp_unknown')).toMatchObject({ code: 'github.unauthorized' });
    expect(await attempt('')).toMatchObject({ code: 'config.secret_missing' });
    on.github.faults.outage(503);
    expect(await attempt(people.token('ada'))).toMatchObject({ code: 'github.unavailable' });
    expect(existsSync(fileOf(on))).toBe(false);
  });

  test('a file that is there, about this board or another', async () => {
    const on = await begin(WHOLE);
    writeFileSync(fileOf(on), 'legion: shop\n');
    expect((await on.init('--project', 'acme/1')).error?.code).toBe('init.exists');
    const { error } = await on.init('--project', 'acme/1', '--create-missing');
    expect(error?.message).toContain('has its board on this machine');
    expect(readFileSync(fileOf(on), 'utf8')).toBe('legion: shop\n');
    expect((await on.init('--project', 'acme/1', '--force')).exit).toBe(0);
    expect(written(on).legion).toBe('acme/1');
  });

  test('options that do not go together', async () => {
    const on = await begin();
    for (const [options, message] of [
      [['-b', 'local', '--project', 'acme/1'], '--project is for --backend github'],
      [['-b', 'jira'], '--backend takes local, github or linear, got "jira"'],
      [['-b'], '-b needs a value'],
    ] as const) {
      const { error } = await on.run('init', ...options);
      expect(error).toMatchObject({ code: 'usage.invalid', message: expect.stringContaining(message) });
    }
  });
});

describe('at a terminal', () => {
  const at = ({ home, env }: GithubHome) => ({ cwd: home.repository, env });

  test('a person chooses the board and its columns, and agrees to what is made', async () => {
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
        ['Which project has the issues', ''],
        ['Which column is Triage', ''],
        ['Which column is Icebox', ''],
        ['Which column is Backlog', DOWN],
        ['Make the 16 labels', ''],
        ['Make the columns Triage, Icebox, Testing, Needs Review, Retro?', ''],
      ],
    );
    expect(exit).toBe(0);
    expect(written(on)).toMatchObject({ legion: 'acme/1', statuses: { Backlog: ['Ideas'] } });
    expect(writes(on)).toEqual(['MakeLabels', 'WriteStatusOptions']);
    const { out } = await on.run('init', '--create-missing', '--json');
    expect(JSON.parse(out)).toMatchObject({ missing: { statuses: [], labels: [] } });
  });

  test('on a board with items Enter leaves its columns to the person', async () => {
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
        ['Make the 16 labels', ''],
        ['Make the columns Triage', ''],
      ],
    );
    expect(exit).toBe(0);
    expect(writes(on)).toEqual(['MakeLabels']);
    expect(on.columns()).toEqual(COLUMNS);
  });

  test('Enter to every question of a plain init begins a legion of this machine', async () => {
    const on = await begin();
    const questions = ['Where the issues live', 'Who works', 'Name of the legion', 'Workers at once'];
    const more = ['What the architect writes', 'Merging'];
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
