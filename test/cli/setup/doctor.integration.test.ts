/**
 * Tests the findings of `legion doctor` and `legion config check`. Both exit with code 1 if
 * something must be fixed.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openApprovalStore } from '../../../src/config/approval.ts';
import { resolveLegionPaths } from '../../../src/config/paths.ts';
import {
  computeCommandsFingerprint,
  computePromptsFingerprint,
} from '../../../src/config/repository/load.ts';
import { unwrap } from '../../../src/lib/result.ts';
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';
import { approveBeforehand, CHECKED_CONFIG, REPOSITORY_CONFIG } from '../../support/checked-repository.ts';
import { HEALTH } from '../support/answers.ts';
import { commitFiles, makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';
import { legionIn } from '../support/legion.ts';
import { announce, openWireDaemon } from '../support/wire-daemon.ts';

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const COMMANDS = { test: ['npm', 'test'] as [string, string] };
beforeAll(() => makeRepository(home.repository));
afterAll(() => home.remove());
beforeEach(() => {
  rmSync(home.state, { recursive: true, force: true });
  writeLegionFile(home.repository);
});

interface Finding {
  readonly what: string;
  readonly verdict: string;
  readonly says: string;
  readonly next?: string;
}

async function findings(): Promise<ReadonlyMap<string, Finding>> {
  const { out } = await perform(here, 'doctor', '--json');
  return new Map(JSON.parse(out).findings.map((finding: Finding) => [finding.what, finding]));
}

describe('`legion doctor`', () => {
  test('reports a healthy machine and repository as ready', async () => {
    const well = newHome();
    onTestFinished(() => well.remove());
    makeRepository(well.repository);
    commitFiles(well.repository, { [REPOSITORY_CONFIG]: CHECKED_CONFIG });
    approveBeforehand(well.state, 'shop', CHECKED_CONFIG);
    writeLegionFile(well.repository, 'legion: shop\nport: 0\nagents: { default: { agent: codex } }\n');
    const env = { ...well.env, CODEX_API_KEY: 'x', PATH: programs('echo codex-cli 1.2.3') };
    const { code, stdout } = await legionIn({ cwd: well.repository, env }, 'doctor');
    expect(stdout).toMatch(/^✓ node {11}\d+\./);
    expect(stdout).toContain('✓ daemon         not running; run `legion up` to start it\n');
    expect(stdout).toContain('✓ agent codex    every mode; 1.2.3; logged in with');
    expect(stdout).toContain(`✓ repository     ${well.repository}, pull requests to main\n`);
    expect(stdout).toContain('✓ commands       quality_gate; approved\n');
    expect(stdout).toMatch(/\nReady to work\.\n$/);
    expect(code).toBe(0);
  });

  test('reports workspaces that were created under another XDG_DATA_HOME', async () => {
    const { folder, repository, env } = home;
    const before = unwrap(resolveLegionPaths(env)).workspaces('shop');
    const worktrees = await openGitWorktrees({ root: before, legion: 'shop', environment: env });
    const { path } = await worktrees.ensure('shop-1', repository);
    onTestFinished(async () => {
      execFileSync('git', ['-C', repository, 'worktree', 'remove', '--force', path]);
    });
    expect((await findings()).get('preflight')?.says).not.toContain(path);
    const moved = { cwd: repository, env: { ...env, XDG_DATA_HOME: join(folder, 'new') } };
    const { exit, out } = await perform(moved, 'doctor', '--json');
    expect(exit).toBe(1);
    expect(JSON.parse(out).findings).toContainEqual({
      what: 'preflight',
      verdict: 'bad',
      says: `Workspaces of this legion (shop-1) are in ${before}, but new ones are created in ${join(folder, 'new/legion/workspaces/shop')}. Workers for these issues cannot start. [preflight.workspaces_elsewhere]`,
      next: `To keep them, start Legion with XDG_DATA_HOME='${join(folder, '.local/share')}', as before. To discard them, remove each one: git -C '${repository}' worktree remove '${path}'`,
    });
  });

  test('reports a jj that is too old only if workspaces use jj', async () => {
    const well = newHome();
    onTestFinished(() => well.remove());
    makeRepository(well.repository);
    commitFiles(well.repository, { [REPOSITORY_CONFIG]: CHECKED_CONFIG });
    const path = join(well.folder, 'old');
    mkdirSync(path);
    writeFileSync(join(path, 'jj'), '#!/bin/sh\necho jj 0.40.0\n', { mode: 0o755 });
    const at = { cwd: well.repository, env: { ...well.env, PATH: `${path}:/usr/bin:/bin` } };
    const listed = async (yaml: string) => {
      writeLegionFile(well.repository, `legion: shop\n${yaml}`);
      const { out } = await perform(at, 'doctor', '--json');
      return (JSON.parse(out).findings as Finding[]).filter(({ says }) => says.includes('[jj.too_old]'));
    };
    expect(await listed('')).toEqual([]);
    expect(await listed('workspaces: { kind: jj }\n')).toMatchObject([{ what: 'preflight', verdict: 'bad' }]);
  });

  test('reports uncommitted changes in the base checkout as information, not as a warning', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', home.repository, ...args]);
    expect((await findings()).get('checkout')).toBeUndefined();
    writeFileSync(join(home.repository, 'draft.txt'), 'mine');
    git('add', 'draft.txt');
    expect((await findings()).get('checkout')).toMatchObject({
      verdict: 'ok',
      says: 'uncommitted on main: draft.txt; a merge waits only if it changes one of these',
    });
    git('rm', '--quiet', '--force', 'draft.txt');
  });

  test('reports that no worker can start until an agent is chosen, and how to choose one', async () => {
    const { out, exit } = await perform(here, 'doctor', '--json');
    expect(exit).toBe(1);
    const found = JSON.parse(out).findings as Finding[];
    expect(found.find(({ what }) => what === 'agent')).toMatchObject({
      verdict: 'bad',
      says: 'no agent is chosen, so no worker can start',
      next: expect.stringContaining('`legion init`'),
    });
  });

  test('reports the scripted agent as an error, or as a warning if the configuration allows that agent', async () => {
    writeLegionFile(home.repository, 'legion: shop\nagents: { default: { agent: scripted } }\n');
    const { out, exit } = await perform(here, 'doctor');
    expect(exit).toBe(1);
    expect(out).toContain('[agent.scripted_not_allowed]');
    const { found } = await withProgram(undefined, '{ default: { agent: scripted } }');
    expect(found.get('agent scripted')).toMatchObject({ verdict: 'warn' });
  });

  test('exits with 1 for an invalid configuration and shows the position of the error', async () => {
    writeLegionFile(home.repository, 'legion: shop\nlimits: { workers: lots }\n');
    const { out, exit } = await perform(here, 'doctor');
    expect(exit).toBe(1);
    expect(out).toContain(`${home.repository}/legion.yaml:2:20: limits.workers: expected a whole number`);
    expect(out).toContain('1 to fix');
  });

  test('lists the modes that use an agent whose program is missing', async () => {
    const { found, exit } = await withProgram(undefined, '{ review: { agent: codex } }');
    expect(exit).toBe(1);
    expect(found.get('agent codex')).toMatchObject({
      verdict: 'bad',
      says: 'review; codex is not on the PATH',
      next: expect.stringContaining('npm install --global @openai/codex'),
    });
  });

  test('reports a missing fallback agent only as a warning', async () => {
    const { found } = await withProgram(
      undefined,
      '{ default: { agent: scripted, fallback: { agent: codex } } }',
    );
    expect(found.get('agent codex')).toMatchObject({
      verdict: 'warn',
      says: expect.stringMatching(/^fallback for architect, .*; codex is not on the PATH/),
    });
  });

  test('shows the version and login of an installed agent', async () => {
    const agents = '{ default: { agent: codex, model: gpt-5 } }';
    const { found } = await withProgram('echo codex-cli 1.2.3', agents, { CODEX_API_KEY: 'x' });
    expect(found.get('agent codex gpt-5')).toMatchObject({
      verdict: 'ok',
      says: expect.stringContaining('1.2.3'),
    });
  });

  test('runs one turn of the agent on request and shows its error', async () => {
    const failing = 'case "$1" in --version) echo codex-cli 1.2.3;; *) echo no such model >&2; exit 1;; esac';
    const agents = '{ default: { agent: codex } }';
    const { found, exit } = await withProgram(failing, agents, { CODEX_API_KEY: 'x' }, '--turn');
    expect(exit).toBe(1);
    expect(found.get('agent codex works')).toMatchObject({
      verdict: 'bad',
      says: expect.stringContaining('no such model'),
    });
  });

  test('checks for tmux if workers are shown in windows', async () => {
    const bin = join(home.folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'tmux'), '#!/bin/sh\necho tmux 3.4\n', { mode: 0o755 });
    const { found } = await withProgram(undefined, '{ default: { agent: scripted, view: tmux } }');
    expect(found.get('tmux')).toMatchObject({ verdict: 'ok', says: 'tmux 3.4' });
  });

  /**
   * Returns a search path on which `codex` runs `script`, or on which `codex` is missing if
   * `script` is undefined.
   */
  function programs(script: string | undefined): string {
    const path = join(home.folder, 'bin');
    mkdirSync(path, { recursive: true });
    rmSync(join(path, 'codex'), { force: true });
    if (script !== undefined) writeFileSync(join(path, 'codex'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return `${path}:/usr/bin:/bin`;
  }

  async function withProgram(
    script: string | undefined,
    agents: string,
    env: Readonly<Record<string, string>> = {},
    ...flags: string[]
  ) {
    writeLegionFile(home.repository, `legion: shop\nscripted: allowed\nagents: ${agents}\n`);
    const asked = { ...here, env: { ...home.env, ...env, PATH: programs(script) } };
    const { out, exit } = await perform(asked, 'doctor', '--json', ...flags);
    const found = new Map(JSON.parse(out).findings.map((finding: Finding) => [finding.what, finding]));
    return { found: found as ReadonlyMap<string, Finding>, exit };
  }

  test('reports a state directory that other users can read', async () => {
    announce(home.state, { ...HEALTH, url: 'http://127.0.0.1:1' });
    chmodSync(join(home.state, 'token'), 0o644);
    expect((await findings()).get('state')).toMatchObject({
      verdict: 'bad',
      says: `other users can read ${join(home.state, 'token')}`,
      next: `Run \`chmod -R go-rwx ${home.state}\`.`,
    });
  });

  test('warns about a daemon of another version and reports its active problems', async () => {
    const troubles = [{ code: 'forge.busy', message: 'locked', next: 'Wait.', since: 1 }];
    const daemon = await openWireDaemon(home.state, {
      'GET /health': { ...HEALTH, version: '0.0.9', troubles },
    });
    const found = await findings().finally(() => daemon.close());
    expect(found.get('daemon')).toMatchObject({ verdict: 'warn', next: 'Run `legion restart`.' });
    expect(found.get('active problem')).toMatchObject({
      verdict: 'warn',
      says: 'locked [forge.busy]',
      next: 'Wait.',
    });
  });

  test('reports a directory without a repository', async () => {
    const { out, exit } = await perform({ ...here, cwd: home.folder }, 'doctor', '--legion', 'shop');
    expect(exit).toBe(1);
    expect(out).toContain(`${home.folder} is not a git repository [repository.missing]`);
  });
});

describe('`legion config check`', () => {
  test('shows each value with its source, including every default', async () => {
    writeLegionFile(home.repository, 'legion: shop\nlimits:\n  workers: 3\nhealth: { in_tool: 3h }\n');
    const { out } = await perform(
      { ...here, env: { ...home.env, LEGION_DAEMON_PORT: '4000' } },
      'config',
      'check',
    );
    const rows = new Map(out.split('\n').map((line) => [line.split(' ')[0], line.split(/ {2,}/).slice(1)]));
    expect(rows.get('limits.workers')).toEqual(['3', `${home.repository}/legion.yaml:3:3`]);
    expect(rows.get('health.in_tool')).toEqual(['3h', `${home.repository}/legion.yaml:4:11`]);
    expect(rows.get('port')).toEqual(['4000', 'LEGION_DAEMON_PORT']);
    expect(rows.get('polling.interval')).toEqual(['30s', 'default']);
    expect(rows.get('budgets.issue.usd')).toEqual(['10', 'default']);
    expect(rows.get('budgets.issue.turns')).toEqual(['–', 'default']);
  });

  test('rejects an invalid file and shows the position of the error', async () => {
    writeLegionFile(home.repository, 'legion: shop\nlimts: {}\n');
    const { code, stderr } = await legionIn(here, 'config', 'check');
    expect(code).toBe(1);
    expect(stderr).toContain('legion.yaml:2:1: unknown key "limts" (did you mean "limits"?)');
  });

  test('shows the commands of the base branch, whether they are approved, and uncommitted changes', async () => {
    const folder = join(home.repository, '.legion');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'config.yml'), 'commands: { test: npm test }\n');
    expect((await perform(here, 'config', 'check', '--set')).out).toContain(
      'which Legion uses. Commit your changes to main.',
    );
    commitAll();
    expect((await perform(here, 'config', 'check', '--set')).out).toContain(
      'not approved: run `legion approve --commands`\n',
    );
    openApprovalStore(home.state).approve({
      repo: 'shop',
      fingerprint: computeCommandsFingerprint({ commands: COMMANDS }),
      at: 1,
    });
    const { out } = await perform(here, 'config', 'check', '--set', '--json');
    expect(JSON.parse(out).repository).toEqual({
      path: home.repository,
      name: 'shop',
      base: 'main',
      commands: COMMANDS,
      approved: true,
      committed: true,
      prompts: { names: [], approved: true, committed: true },
    });

    writeFileSync(join(folder, 'config.yml'), 'comands: {}\n');
    const wrong = await perform(here, 'config', 'check', '--set');
    expect(wrong.exit).toBe(1);
    expect(wrong.out).toContain('config.yml:1:1: unknown key "comands" (did you mean "commands"?)');
  });

  test('shows the prompts of the base branch, whether they are approved, and their problems', async () => {
    const folder = join(home.repository, '.legion', 'prompts');
    const text = 'Plan it twice.\n';
    mkdirSync(folder, { recursive: true });
    rmSync(join(home.repository, '.legion', 'config.yml'), { force: true });
    writeFileSync(join(folder, 'phase.plan.md'), text);
    commitAll();
    const waiting = await perform(here, 'config', 'check', '--set');
    expect(waiting.out).toMatch(
      /prompts +not approved: run `legion approve --commands`\n +phase.plan +\.legion\/prompts/,
    );
    const doctor = (await perform(here, 'doctor')).out;
    expect(doctor).toContain('waiting for your approval: phase.plan; until then');
    // Nothing can be approved before the daemon is running.
    expect(doctor.replace(/\s+/g, ' ')).toContain(
      'Run `legion up` to start the daemon, then run `legion approve --commands` to read and approve them.',
    );

    const fingerprint = computePromptsFingerprint({ 'phase.plan': text });
    openApprovalStore(home.state).approve({ repo: 'shop', fingerprint, at: 1 });
    const { out } = await perform(here, 'config', 'check', '--set', '--json');
    const prompts = { names: ['phase.plan'], approved: true, committed: true };
    expect(JSON.parse(out).repository.prompts).toEqual(prompts);
    expect((await perform(here, 'doctor')).out).toContain('phase.plan; approved');

    writeFileSync(join(folder, 'frame.md'), '{{who}}\n');
    const wrong = await perform(here, 'config', 'check', '--set');
    expect(wrong.exit).toBe(1);
    expect(wrong.out).toContain('.legion/prompts/frame.md:1: {{where}} is missing');
    commitAll();
    expect((await perform(here, 'doctor')).out).toContain(
      'main:.legion/prompts/frame.md:1: {{where}} is missing',
    );
  });
});

function commitAll(): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  execFileSync('git', ['add', '.legion'], { cwd: home.repository });
  execFileSync('git', [...identity, 'commit', '-q', '-m', 'Commands'], { cwd: home.repository });
}
