import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GcAnswer, RollbackAnswer } from '../../../src/protocol/operator.ts';
import type { LogsAnswer, WorkerView } from '../../../src/protocol/workers.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { AUTO_MERGE_FILES, setUpDaemons } from '../support/legion.ts';
import { SUBMIT_WORK } from '../support/steps.ts';

const startDaemon = setUpDaemons();

/**
 * Returns whether the process is running. A zombie, which is only waiting to be reaped, does not
 * count as running.
 */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('after Done, only workspaces with unsaved work are kept; after a rollback, every phase runs again', async () => {
  const daemon = await startDaemon({
    files: AUTO_MERGE_FILES,
    scenario: [
      {
        issue: 'DEMO-1',
        phase: 'implement',
        attempt: 1,
        steps: [{ escape: '600s' }, { write: { path: 'greeting.txt', content: 'hello\n' } }, ...SUBMIT_WORK],
      },
      {
        issue: 'DEMO-1',
        phase: 'implement',
        attempt: '>2',
        steps: [{ write: { path: 'greeting.txt', content: 'good day\n' } }, ...SUBMIT_WORK],
      },
      {
        issue: 'DEMO-2',
        phase: 'merge',
        steps: [{ merge: true }, { write: { path: 'thoughts.txt', content: 'x\n' } }, { done: 'merged' }],
      },
    ],
  });
  const { client, legion } = daemon;
  const workspaces = join(legion.folder, 'data/legion/workspaces/demo');
  const left = () => readdirSync(workspaces).filter((name) => name.startsWith('demo-'));
  const branches = () => git(legion.repository, 'branch', '--list', '--format=%(refname:short)', 'DEMO-*');

  const [clean, untidy] = [
    await daemon.add({ status: 'In Progress' }),
    await daemon.add({ status: 'In Progress' }),
  ];
  await until(
    () => client.get<WorkerView[]>('/workers'),
    (workers) => workers.some(({ id, status }) => id === 'demo-1-implement' && status === 'finished'),
    100_000,
  );
  const { text } = await client.get<LogsAnswer>('/workers/demo-1-implement/logs?attempt=1');
  const escaped = Number(/escaped: process (\d+)/.exec(text)?.[1]);
  expect(isRunning(escaped)).toBe(true);

  for (const id of [clean, untidy]) await daemon.untilStatus(id, 'Done');
  await until(branches, (names) => names === untidy, 100_000);
  expect(isRunning(escaped)).toBe(false);
  const [kept = '', ...others] = left();
  expect(others).toEqual([]);
  const first = await client.post<GcAnswer>('/gc');
  expect(first.removed).toEqual([]);
  expect(first.kept).toEqual([{ issue: untidy, why: expect.stringContaining('thoughts.txt') }]);
  rmSync(join(workspaces, kept, 'thoughts.txt'));
  expect((await client.post<GcAnswer>('/gc')).removed).toEqual([untidy]);
  expect([left(), await branches()]).toEqual([[], '']);

  const before = await daemon.detail(clean);
  // Moves the base past the merge.
  writeFileSync(join(legion.repository, 'README.md'), 'hello again\n');
  await git(legion.repository, 'commit', '--quiet', '--all', '--message=meanwhile');
  const { pullRequest, branch } = await client.post<RollbackAnswer>(`/issues/${clean}/rollback`, {
    by: 'Ada',
  });
  expect(pullRequest).not.toBe(before.pullRequest?.number);
  expect(await git(legion.repository, 'ls-tree', '--name-only', branch)).not.toContain('greeting.txt');
  expect((await daemon.issue(clean)).labels).toContain('rollback');
  expect((await daemon.issue(clean)).status).not.toBe('Done');
  const again = await client.post<RollbackAnswer>(`/issues/${clean}/rollback`, { by: 'Ada' });
  expect(again.pullRequest).toBe(pullRequest);
  // No work restarts before a person approves.
  expect((await daemon.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['approval', clean]]);
  await client.post(`/pull-requests/${pullRequest}/merge`, { by: 'Ada', force: true });
  expect(await git(legion.repository, 'ls-tree', '--name-only', 'main')).not.toContain('greeting.txt');
  await client.post(`/issues/${clean}/approve`, { by: 'Ada' });

  await daemon.untilStatus(clean, 'Done');
  const after = await daemon.detail(clean);
  expect(after.pullRequest?.state).toBe('merged');
  expect(after.pullRequest?.number).not.toBe(before.pullRequest?.number);
  expect(await git(legion.repository, 'show', 'main:greeting.txt')).toBe('good day');
  const landed = (await client.events()).filter(
    (event) => event.type === 'merge.landed' && event.issue === clean,
  );
  expect(landed).toHaveLength(2);
  expect(after.workers.map(({ mode, attempt }) => [mode, attempt])).toEqual([
    ['plan', 1],
    ['implement', 4],
    ['test', 2],
    ['review', 2],
    ['merge', 2],
  ]);
});
