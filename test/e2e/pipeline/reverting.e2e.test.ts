/**
 * Reverts a bad merge with a person's commands, until the base no longer contains the merge. The
 * daemon is killed in the middle of this.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MergeAnswer, RollbackAnswer } from '../../../src/protocol/operator.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { git } from '../../ports/forge/git.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';
import { HELD_FILES, installMergeHold } from '../support/merge-hold.ts';
import { SUBMIT_WORK } from '../support/steps.ts';

const startDaemon = setUpDaemons();

test('if the daemon is killed while an operator merges a revert, the next daemon recognises the merge', async () => {
  const daemon = await startDaemon({
    files: { ...AUTO_MERGE_FILES, ...HELD_FILES, 'greeting.held': 'good\n' },
    scenario: [
      {
        phase: 'implement',
        attempt: 1,
        steps: [{ write: { path: 'greeting.held', content: 'bad\n' } }, ...SUBMIT_WORK],
      },
    ],
  });
  const merges = await installMergeHold(daemon);
  const { repository } = daemon.legion;
  await daemon.stop();
  await daemon.startProcess();
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilStatus(id, 'Done');
  expect(await git(repository, 'show', 'main:greeting.held')).toBe('bad');

  const rolledBack = await run(daemon, 'rollback', id);
  expect(rolledBack.stdout).toContain('main still contains the change');
  const waiting = await run(daemon, 'inbox');
  expect(waiting.stdout).toContain('reverts the change, but main still contains the change');
  const [, number = ''] = /`legion pr merge (\d+)`/.exec(rolledBack.stdout) ?? [];
  expect(await git(repository, 'show', 'main:greeting.held')).toBe('bad');
  const refused = await run(daemon, 'pr', 'merge', number);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('[pr.ci_not_green]');
  expect(refused.stderr).toContain('--force');

  merges.hold();
  const cut = run(daemon, 'pr', 'merge', number, '--force');
  await merges.untilHeld();
  await daemon.kill();
  merges.release();
  expect((await cut).code).not.toBe(0);

  await daemon.startProcess();
  const events = await daemon.untilEvents('the revert is settled', (all) =>
    all.some(({ type }) => type === 'revert.landed'),
  );
  const mergedSha = await git(repository, 'rev-parse', 'main');
  expect(events.filter(({ type }) => type === 'revert.landed')).toMatchObject([
    { issue: id, revert: Number(number), mergedSha, forced: true },
  ]);
  expect(await git(repository, 'show', 'main:greeting.held')).toBe('good');
  expect(readFileSync(join(repository, 'greeting.held'), 'utf8')).toBe('good\n');
  expect(await git(repository, 'status', '--porcelain')).toBe('');

  const again = await run(daemon, 'pr', 'merge', number, '--force');
  expect(again.stderr).toContain(`merged into main as ${mergedSha}`);
  const explained = await run(daemon, 'explain', id);
  expect(explained.stdout).toMatch(
    new RegExp(`merged the revert, pull request ${number}, as \\S+ with --force`),
  );
  const shown = await run(daemon, 'issue', 'show', id);
  expect(shown.stdout).toMatch(new RegExp(`revert +#${number}, merged`));
  expect(await asJson<RollbackAnswer>(daemon, 'rollback', id)).toMatchObject({
    state: 'merged',
    base: 'main',
  });
});

test('if an operator merges the pull request of an issue that waits for approval, the issue becomes Done', async () => {
  const daemon = await startDaemon({
    files: AUTO_MERGE_FILES,
    yaml: 'approvals: { architect: auto, merge: required }\n',
  });
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilLabel(id, 'needs-approval');
  const { pullRequest } = await daemon.detail(id);
  const merged = await daemon.client.post<MergeAnswer>(`/pull-requests/${pullRequest?.number}/merge`, {
    by: 'ada',
  });
  expect(merged).toMatchObject({
    issue: id,
    mergedSha: await git(daemon.legion.repository, 'rev-parse', 'main'),
  });
  await daemon.untilStatus(id, 'Done');
  const landed = (await daemon.client.events()).filter(({ type }) => type === 'merge.landed');
  expect(landed).toMatchObject([{ issue: id, by: 'ada', auto: false }]);
});

function run({ legion }: TestDaemon, ...args: string[]) {
  return legionIn({ cwd: legion.repository, env: legion.environment }, ...args);
}

async function asJson<T>(daemon: TestDaemon, ...args: string[]): Promise<T> {
  return JSON.parse((await run(daemon, ...args, '--json')).stdout);
}
