import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/legion/resolve.ts';
import { loadRepositoryConfig } from '../../src/config/repository/load.ts';
import { makeRepository, newHome } from './home.ts';
import { perform } from './in-process.ts';
import { legionIn } from './legion.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const file = join(home.repository, 'legion.yaml');
const commandsFile = join(home.repository, '.legion/config.yml');
afterAll(() => home.remove());
beforeEach(() => {
  rmSync(home.repository, { recursive: true });
  mkdirSync(home.repository);
});

describe('where there is nothing to work on', () => {
  test('a folder that is no repository', async () => {
    const { code, stderr } = await legionIn(here, 'init');
    expect(code).toBe(1);
    expect(stderr).toContain(`${home.repository} is not inside a git repository`);
    expect(stderr).toContain('[repository.missing]\nRun `legion init` inside a git repository');
  });

  test('a repository without a commit', async () => {
    execFileSync('git', ['init', '-q', home.repository]);
    const { error } = await perform(here, 'init');
    expect(error).toMatchObject({ code: 'repository.missing' });
    expect(error?.message).toContain('has no commit yet; make a first one: git commit');
    expect(existsSync(file)).toBe(false);
  });
});

describe('in a repository', () => {
  beforeEach(() => makeRepository(home.repository));

  test('writes a file that means what was asked, from any folder of it, and says what to do next', async () => {
    const below = join(home.repository, 'src');
    mkdirSync(below);
    const { code, stdout } = await legionIn(
      { ...here, cwd: below },
      'init',
      '--workers',
      '3',
      '--agent',
      'codex',
    );
    expect(code).toBe(0);
    expect(stdout).toContain(`shop is ready to begin on main\nwrote ${file}\n`);
    expect(stdout).toContain('Merges advance main in this checkout');
    expect(stdout).toContain(`  cd ${home.repository}\n  legion up\n`);
    expect(written()).toMatchObject({
      ...{ legion: 'shop', port: expect.any(Number), limits: { workers: 3 }, repos: [] },
      agents: { default: { agent: 'codex' } },
      approvals: { architect: 'required', merge: 'auto' },
    });
  });

  test('takes every answer as an option', async () => {
    const options = {
      ...{ '--legion': 'tea', '--approvals-architect': 'auto', '--approvals-merge': 'required' },
      ...{ '--base': 'main', '--port': '4000' },
    };
    const { out } = await perform(here, 'init', '--json', ...Object.entries(options).flat());
    expect(JSON.parse(out)).toMatchObject({ legion: 'tea', base: 'main', written: [file] });
    expect(written()).toMatchObject({
      ...{ legion: 'tea', port: 4_000, approvals: { architect: 'auto', merge: 'required' } },
      repos: [{ repo: 'local/shop', base: 'main' }],
    });
  });

  test.each([
    [
      ['--workers', '0'],
      'usage.invalid',
      '--workers: limits.workers: expected a whole number from 1 to 1000, got "0"',
    ],
    [
      ['--agent', 'hal'],
      'usage.invalid',
      '--agent: agents.default.agent: expected claude-code, opencode, codex or',
    ],
    [['--legion', 'a b'], 'usage.invalid', '--legion: legion: expected a name'],
    [
      ['--approvals-merge', 'no'],
      'usage.invalid',
      '--approvals-merge: approvals.merge: expected required or auto',
    ],
    [['--base', 'nowhere'], 'workspace.base_missing', 'has none of'],
    [['--commands'], 'usage.invalid', `--commands: ${home.repository} has none`],
  ])('refuses %j and writes nothing', async (args, code, message) => {
    const { error } = await perform(here, 'init', ...args);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
    expect(existsSync(file)).toBe(false);
  });

  test('writes over nothing without --force', async () => {
    writeFileSync(file, 'legion: mine\n');
    const { error } = await perform(here, 'init', '--yes');
    expect(error).toMatchObject({ code: 'init.exists', message: `${file} is there already` });
    expect(readFileSync(file, 'utf8')).toBe('legion: mine\n');
    expect((await perform(here, 'init', '--yes', '--force')).exit).toBe(0);
    expect(written().legion).toBe('shop');
  });

  test('writes the commands it finds only where it is asked to, and leaves a legion.yaml that is there', async () => {
    const scripts = { test: 'vitest run', lint: 'biome ci' };
    writeFileSync(join(home.repository, 'package.json'), JSON.stringify({ scripts }));
    writeFileSync(join(home.repository, 'pnpm-lock.yaml'), '');
    const plain = await perform(here, 'init', '--yes');
    expect(plain.out).toContain(
      '(found setup, quality_gate, test, ci commands; `legion init --commands` writes them',
    );
    expect(existsSync(commandsFile)).toBe(false);

    writeFileSync(file, 'legion: mine\n');
    const asked = await perform(here, 'init', '--commands');
    expect(asked.out).toContain('git add .legion/config.yml && git commit');
    expect(readFileSync(file, 'utf8')).toBe('legion: mine\n');
    expect(loadRepositoryConfig(home.repository)).toMatchObject({
      value: {
        commands: {
          setup: ['pnpm', 'install', '--frozen-lockfile'],
          quality_gate: ['pnpm', 'run', 'lint'],
          test: ['pnpm', 'test'],
          ci: ['pnpm', 'test'],
        },
      },
    });
    expect((await perform(here, 'init', '--commands')).error?.code).toBe('init.exists');
  });

  test.each([
    ['package.json', '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}', {}],
    ['package.json', 'no JSON at all', {}],
    ['Cargo.toml', '', { quality_gate: ['cargo', 'check'], test: ['cargo', 'test'], ci: ['cargo', 'test'] }],
    ['Makefile', 'all:\n\ntest:\n\ttrue\n', { test: ['make', 'test'], ci: ['make', 'test'] }],
  ])('tells by %s with %j which commands there are', async (name, text, commands) => {
    writeFileSync(join(home.repository, name), text);
    const { out } = await perform(here, 'init', '--json');
    expect(JSON.parse(out).commands).toEqual(commands);
  });
});

function written() {
  const text = readFileSync(file, 'utf8');
  const resolved = resolveConfig({ flags: [], file: { path: file, text }, environment: {} });
  if (!resolved.ok) throw new Error(resolved.fault.message);
  return resolved.value.config;
}
