import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/config/legion/resolve.ts';
import { loadRepositoryConfig } from '../../../src/config/repository/load.ts';
import { answering } from '../support/answering.ts';
import { foldersWithoutAgents, makeRepository, newHome, putAgent } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const file = join(home.repository, 'legion.yaml');
const commandsFile = join(home.repository, '.legion/config.yml');
afterAll(() => home.remove());
beforeEach(() => {
  rmSync(home.repository, { recursive: true });
  mkdirSync(home.repository);
});

describe('`legion init` without a usable repository', () => {
  test('rejects a folder that is not a repository', async () => {
    const { code, stderr } = await legionIn(here, 'init');
    expect(code).toBe(1);
    expect(stderr).toContain(`${home.repository} is not inside a git repository`);
    expect(stderr).toContain('[repository.missing]\nRun `legion init` inside a git repository');
  });

  test('rejects a repository without a commit', async () => {
    execFileSync('git', ['init', '-q', home.repository]);
    const { error } = await perform(here, 'init');
    expect(error).toMatchObject({ code: 'repository.missing' });
    expect(error?.message).toContain('has no commit yet. Create one: git commit');
    expect(existsSync(file)).toBe(false);
  });
});

describe('`legion init` in a repository', () => {
  beforeEach(() => makeRepository(home.repository));

  test('writes a valid file from any folder of the repository, and lists the next steps', async () => {
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
    expect(stdout).toContain(`shop is ready to work on main\nwrote ${file}\n`);
    expect(stdout).toContain('Merges update main in this checkout');
    expect(stdout).toContain(`  cd ${home.repository}\n  legion up\n`);
    expect(written()).toMatchObject({
      legion: 'shop',
      port: expect.any(Number),
      limits: { workers: 3 },
      repos: [],
      agents: { default: { agent: 'codex' } },
      approvals: { architect: 'required', merge: 'required' },
    });
  });

  test('accepts every setting as an option', async () => {
    const options = {
      '--legion': 'tea',
      '--approvals-architect': 'auto',
      '--approvals-merge': 'required',
      '--base': 'main',
      '--port': '4000',
    };
    const { out } = await perform(here, 'init', '--json', ...Object.entries(options).flat());
    expect(JSON.parse(out)).toMatchObject({ legion: 'tea', base: 'main', written: [file] });
    expect(written()).toMatchObject({
      legion: 'tea',
      port: 4_000,
      approvals: { architect: 'auto', merge: 'required' },
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
    [['--commands'], 'usage.invalid', `--commands: No commands were found in ${home.repository}.`],
  ])('rejects %j and writes nothing', async (args, code, message) => {
    const { error } = await perform(here, 'init', ...args);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(message);
    expect(existsSync(file)).toBe(false);
  });

  describe('choosing an agent and detecting commands', () => {
    const bin = join(home.folder, 'bin');
    const withPrograms = (programs: Readonly<Record<string, string>>, more = {}) => {
      rmSync(bin, { recursive: true, force: true });
      mkdirSync(bin);
      for (const [name, script] of Object.entries(programs)) putAgent(bin, name, script);
      const PATH = [bin, ...foldersWithoutAgents()].join(delimiter);
      return { cwd: home.repository, env: { ...home.env, CODEX_API_KEY: '', ...more, PATH } };
    };
    const CLAUDE =
      'case "$1" in --version) echo "2.1.9 (Claude Code)";; *) echo \'{"loggedIn":true,"authMethod":"claude.ai"}\';; esac';
    const CODEX = 'echo codex-cli 1.2.3';
    const LOGGED_OUT =
      'case "$1" in --version) echo codex-cli 1.2.3;; *) echo "Not logged in" >&2; exit 1;; esac';

    test('fails with installation instructions and writes nothing if no agent is installed', async () => {
      const scripts = { test: 'vitest run' };
      writeFileSync(join(home.repository, 'package.json'), JSON.stringify({ scripts }));
      const { code, stderr } = await legionIn(withPrograms({}), 'init', '--commands', '--yes');
      expect(code).toBe(1);
      expect(stderr).toContain('[agent.not_installed]');
      for (const install of ['@anthropic-ai/claude-code', 'opencode-ai', '@openai/codex'])
        expect(stderr).toContain(`npm install --global ${install}, then`);
      expect(existsSync(file)).toBe(false);
      expect(existsSync(join(home.repository, '.legion'))).toBe(false);
    });

    test('fails before it asks the first question if no agent is installed', async () => {
      await expect(answering(withPrograms({}), ['init'], [])).rejects.toMatchObject({
        code: 'agent.not_installed',
      });
    });

    test('defaults to the only agent that is installed and logged in, and reports it', async () => {
      const { out } = await perform(withPrograms({ claude: CLAUDE, codex: LOGGED_OUT }), 'init', '--yes');
      expect(out).toContain('claude-code is ready: version 2.1.9, logged in with claude.ai');
      expect(written().agents.default.agent).toBe('claude-code');
    });

    test.each([
      ['several that are ready', { claude: CLAUDE, codex: CODEX }, { CODEX_API_KEY: 'x' }, 'agent.ambiguous'],
      ['one that is not logged in', { codex: LOGGED_OUT }, {}, 'agent.not_ready'],
    ])('chooses no agent if it finds %s', async (_, programs, more, code) => {
      const { error } = await perform(withPrograms(programs, more), 'init', '--yes');
      expect(error?.code).toBe(code);
      expect(existsSync(file)).toBe(false);
    });

    test('accepts the agent given with --agent only if it is installed, and prints a note if it is logged out', async () => {
      const { error } = await perform(withPrograms({ codex: CODEX }), 'init', '--agent', 'opencode');
      expect(error).toMatchObject({
        code: 'agent.not_installed',
        message: expect.stringContaining('npm install --global opencode-ai'),
      });
      expect(existsSync(file)).toBe(false);
      const { out } = await perform(withPrograms({ codex: LOGGED_OUT }), 'init', '--agent', 'codex');
      expect(out).toContain('codex is not ready: codex is not logged in');
      expect(out).toContain('codex login');
      expect(written().agents.default.agent).toBe('codex');
    });

    test('never accepts the scripted agent', async () => {
      const { error } = await perform(withPrograms({}), 'init', '--agent', 'scripted');
      expect(error?.code).toBe('agent.scripted_not_allowed');
    });
  });

  test('writes both switches that auto-merge needs', async () => {
    await perform(here, 'init', '--yes', '--approvals-merge', 'auto');
    expect(written().approvals.merge).toBe('auto');
    expect(loadRepositoryConfig(home.repository)).toMatchObject({
      value: { merge: { auto_merge_allowed: true } },
    });
    rmSync(file);
    writeFileSync(commandsFile, 'merge: { auto_merge_allowed: false }\n');
    const { out } = await perform(here, 'init', '--yes', '--approvals-merge', 'auto');
    expect(out).toContain('merge automatically only after');
    expect(readFileSync(commandsFile, 'utf8')).toBe('merge: { auto_merge_allowed: false }\n');
  });

  test('creates a legion that `legion teams` already lists before its first start', async () => {
    await perform(here, 'init', '--agent', 'codex');
    const { out } = await perform(here, 'teams', '--json');
    expect(JSON.parse(out)).toEqual([{ legion: 'shop', running: false }]);
  });

  test('overwrites nothing without --force', async () => {
    writeFileSync(file, 'legion: mine\n');
    const { error } = await perform(here, 'init', '--yes');
    expect(error).toMatchObject({ code: 'init.exists', message: `${file} already exists.` });
    expect(readFileSync(file, 'utf8')).toBe('legion: mine\n');
    expect((await perform(here, 'init', '--yes', '--force')).exit).toBe(0);
    expect(written().legion).toBe('shop');
  });

  test('writes the detected commands only on request, and does not overwrite an existing legion.yaml', async () => {
    const scripts = { test: 'vitest run', lint: 'biome ci' };
    writeFileSync(join(home.repository, 'package.json'), JSON.stringify({ scripts }));
    writeFileSync(join(home.repository, 'pnpm-lock.yaml'), '');
    const plain = await perform(here, 'init', '--yes');
    expect(plain.out).toContain(
      'Found commands: setup, quality_gate, test, ci. Run `legion init --commands` to write them',
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
  ])('detects the commands in the file %s with the content %j', async (name, text, commands) => {
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
