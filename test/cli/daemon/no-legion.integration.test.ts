/**
 * Tests commands in folders without a legion.yaml: two folders must not share an unnamed legion.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAEMON_COMMANDS } from '../support/daemon-commands.ts';
import { makeRepository, newHome } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const home = newHome();
const folders = ['a', 'b'].map((name) => join(home.folder, name));
const [first = ''] = folders;
const here = { cwd: first, env: home.env };

beforeAll(() => {
  for (const folder of folders) makeRepository(folder);
});
afterAll(() => home.remove());

const OTHER_COMMANDS = ['up', 'up --foreground', 'up --port 0', 'config check', 'view A-1', 'attach A-1'];

describe('in a folder without legion.yaml', () => {
  test('every command that needs a legion fails with an error code and writes nothing', async () => {
    for (const cwd of folders) {
      for (const line of [...DAEMON_COMMANDS, ...OTHER_COMMANDS]) {
        const { error, out } = await perform({ ...here, cwd }, ...line.split(' '));
        expect(error?.code, line).toBe('config.no_legion');
        expect(out, line).toBe('');
      }
      expect(readdirSync(cwd)).toEqual(['.git']);
    }
    expect(existsSync(join(home.folder, '.local'))).toBe(false);
  });

  test('the error recommends `legion init`', async () => {
    const { code, stderr } = await legionIn(here, 'issue', 'add', 'Greet by name');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'legion: No legion.yaml found here or in a parent folder. [config.no_legion]\n' +
        'Run `legion init` in the repository, or specify a legion with `--legion NAME` or `--config FILE`.\n',
    );
  });

  test('`legion doctor` reports one problem and still checks the machine', async () => {
    const { out, exit } = await perform(here, 'doctor');
    expect(exit).toBe(1);
    expect(out).toMatch(/^✓ node/);
    expect(out).toContain('No legion.yaml found here or in a parent folder. [config.no_legion]');
  });

  test('`legion teams`, `help`, `skills list` and `--version` still work', async () => {
    for (const line of ['teams', '--version', 'help up', 'skills list']) {
      expect((await perform(here, ...line.split(' '))).error, line).toBeUndefined();
    }
  });
});

describe('a command without legion.yaml', () => {
  test.each([
    ['--legion', ['status', '--legion', 'shop'], {}],
    ['LEGION_ID', ['status'], { LEGION_ID: 'shop' }],
    ['a GitHub project', ['status', '--legion', 'acme/3'], {}],
    ['a Linear team', ['status'], { LINEAR_TEAM_ID: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }],
  ])('uses the legion specified by %s', async (_, line, env) => {
    const { error } = await perform({ ...here, env: { ...home.env, ...env } }, ...line);
    expect(error?.code).toBe('daemon.not_running');
  });
});

describe('a legion.yaml', () => {
  test('is reported as missing, with its path, if --config misspells the path', async () => {
    for (const command of ['status', 'up', 'config check', 'view A-1']) {
      const { error } = await perform(here, ...command.split(' '), '--config', 'legoin.yaml');
      expect(error, command).toMatchObject({
        code: 'config.missing',
        message: `${join(first, 'legoin.yaml')}: does not exist`,
      });
    }
  });

  test('is refused if it contains no legion name, because two such files would share a legion', async () => {
    const folder = join(home.folder, 'nameless');
    mkdirSync(folder);
    writeFileSync(join(folder, 'legion.yaml'), 'port: 0\n');
    const { error } = await perform({ ...here, cwd: folder }, 'status');
    expect(error).toMatchObject({
      code: 'config.invalid',
      message: `${join(folder, 'legion.yaml')}: legion: expected the name of the legion, but it is missing`,
    });
  });

  test('is refused for the GitHub backend if it contains no project, and the error says that the project is missing', async () => {
    const { error } = await perform(here, 'up', '-b', 'github');
    expect(error).toMatchObject({
      code: 'config.invalid',
      message:
        '--backend: legion: expected a GitHub owner/project-number because backend is github (--backend), but it is missing',
    });
  });
});
