/**
 * Tests that `init`, `up`, `status`, `inbox`, `explain` and `doctor` report a problem that blocks
 * every issue until the problem is resolved.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { HealthView } from '../../../src/protocol/status.ts';
import { openGitWorktrees } from '../../../src/workspaces/git-worktree/git-worktrees.ts';
import { endWorkers } from '../../support/end-workers.ts';
import { until } from '../../support/running-daemon.ts';
import { commitFiles, makeRepository, newHome, writeLegionFile } from '../support/home.ts';
import { perform } from '../support/in-process.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const home = newHome();
const here = { cwd: home.repository, env: home.env };
const LEGION = 'legion: shop\nport: 0\nagents: { default: { agent: scripted } }\nscripted: allowed\n';
beforeAll(() => makeRepository(home.repository));
afterEach(async () => {
  await perform(here, 'down');
  await endWorkers(home.state);
});
afterAll(() => home.remove());

async function statusWhen(wanted: (health: HealthView) => boolean): Promise<string> {
  await until(async () => JSON.parse((await perform(here, 'status', '--json')).out).daemon, wanted, 60_000);
  return (await perform(here, 'status')).out;
}

test('missing checks, unapproved commands and a failing baseline are each reported as one problem until they are resolved', async () => {
  const init = await perform(here, 'init', '--yes', '--force');
  expect(init.out).toContain('Fix this before workers can start\n');
  expect(init.out).toContain('shop has neither commands.ci nor commands.quality_gate on main');
  writeLegionFile(home.repository, LEGION);
  expect((await perform(here, 'doctor')).out).toContain('[preflight.unchecked]');

  const up = await perform(here, 'up');
  expect(up.out).toContain('shop has neither commands.ci nor commands.quality_gate on main');
  expect(up.out).toContain('[preflight.unchecked]');
  await perform(here, 'issue', 'add', 'Sell tea', '--status', 'todo');
  expect((await perform(here, 'status')).out.match(/preflight\.unchecked/g)).toHaveLength(1);
  expect((await perform(here, 'inbox')).out).toContain('problem: No worker can start for shop');
  expect((await perform(here, 'explain', 'SHOP-1')).out).toContain('preflight.unchecked');

  commitFiles(home.repository, {
    '.legion/config.yml': 'commands: { test: [test, -f, tea.txt], ci: [test, -f, tea.txt] }\n',
  });
  const unapproved = ({ troubles }: HealthView) =>
    troubles.some(({ code }) => code === 'preflight.commands_unapproved');
  expect(await statusWhen(unapproved)).not.toContain('preflight.unchecked');
  expect((await perform(here, 'approve', '--commands', '--yes')).out).toContain('test  test -f tea.txt');

  const isRed = ({ troubles }: HealthView) => troubles.some(({ code }) => code === 'baseline.failed');
  const red = await statusWhen(isRed);
  expect(red).toContain('The baseline of shop is red: `test -f tea.txt` on main');
  expect(red).not.toContain('commands_unapproved');
  expect((await perform(here, 'doctor')).out).toContain('[baseline.failed]');
  expect((await perform(here, 'explain', 'SHOP-1')).out).toContain('baseline.failed');

  const ignored = await perform(here, 'up', '--ignore-baseline');
  expect(ignored.out).toContain('Workers start despite the red baseline of shop, until it passes');
  const noted = await statusWhen(({ ok }) => ok);
  expect(noted).toContain('lets workers start although the baseline of shop fails');

  commitFiles(home.repository, { 'tea.txt': 'tea\n' });
  const isGreen = ({ notices, baselines }: HealthView) => notices?.length === 0 && baselines?.length === 0;
  expect(await statusWhen(isGreen)).not.toContain('baseline');
  expect((await perform(here, 'doctor')).out).toMatch(/✓ baseline +green/);
});

test('no worker starts while workspaces are still in the folder of an earlier XDG_DATA_HOME', async () => {
  writeLegionFile(home.repository, LEGION);
  const root = join(home.folder, 'old/legion/workspaces/shop');
  const before = await openGitWorktrees({ root, legion: 'shop', environment: home.env });
  const { path } = await before.ensure('SHOP-9', home.repository);
  const { out } = await perform(here, 'up', '--json');
  const codes = JSON.parse(out).troubles.map(({ code }: { code: string }) => code);
  expect(codes).toContain('preflight.workspaces_elsewhere');
  expect((await perform(here, 'inbox')).out).toContain(`XDG_DATA_HOME='${join(home.folder, 'old')}'`);
  execFileSync('git', ['-C', home.repository, 'worktree', 'remove', path]);
  expect(
    await statusWhen(({ troubles }) =>
      troubles.every(({ code }) => code !== 'preflight.workspaces_elsewhere'),
    ),
  ).not.toContain(path);
});

test('`legion up` in a script does not wait for the baseline, and reports in JSON that the baseline is running', async () => {
  commitFiles(home.repository, { '.legion/config.yml': 'commands: { ci: [sleep, "600"] }\n' });
  writeLegionFile(home.repository, LEGION);
  const { out } = await perform(here, 'up', '--json');
  expect(JSON.parse(out).troubles.map(({ code }: { code: string }) => code)).toEqual([
    'preflight.commands_unapproved',
  ]);
  await perform(here, 'approve', '--commands', '--yes');
  const running = await statusWhen(({ baselines }) => (baselines?.length ?? 0) > 0);
  expect(running).toContain(
    'the baseline of shop is running (sleep 600): no workers start until it has finished',
  );
});
