import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RollbackAnswer } from '../../../src/protocol/merging.ts';
import type { LogsAnswer, WorkerView } from '../../../src/protocol/operator.ts';
import type { GcAnswer } from '../../../src/protocol/upkeep.ts';
import { git } from '../../ports/forge/git.ts';
import { until } from '../../support/running-daemon.ts';
import { MERGING, stage } from '../support/legion.ts';
import { HAND_IN } from '../support/steps.ts';

const begin = stage();

/** Also one that waits for nothing but somebody to take note of its end is gone. */
function isThere(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test('after Done nothing is left but what would be lost; a merge that is undone goes through it all again', async () => {
  const life = await begin({
    files: MERGING,
    scenario: [
      {
        issue: 'DEMO-1',
        phase: 'implement',
        attempt: 1,
        steps: [{ escape: '600s' }, { write: { path: 'greeting.txt', content: 'hello\n' } }, ...HAND_IN],
      },
      {
        issue: 'DEMO-1',
        phase: 'implement',
        attempt: '>2',
        steps: [{ write: { path: 'greeting.txt', content: 'good day\n' } }, ...HAND_IN],
      },
      {
        issue: 'DEMO-2',
        phase: 'merge',
        steps: [{ merge: true }, { write: { path: 'thoughts.txt', content: 'x\n' } }, { done: 'merged' }],
      },
    ],
  });
  const { door, legion } = life;
  const workspaces = join(legion.folder, 'data/legion/workspaces/demo');
  const left = () => readdirSync(workspaces).filter((name) => name.startsWith('demo-'));
  const branches = () => git(legion.repository, 'branch', '--list', '--format=%(refname:short)', 'DEMO-*');

  const [clean, untidy] = [
    await life.add({ status: 'In Progress' }),
    await life.add({ status: 'In Progress' }),
  ];
  await until(
    () => door.get<WorkerView[]>('/workers'),
    (workers) => workers.some(({ id, status }) => id === 'demo-1-implement' && status === 'finished'),
    100_000,
  );
  const { text } = await door.get<LogsAnswer>('/workers/demo-1-implement/logs?attempt=1');
  const escaped = Number(/escaped: process (\d+)/.exec(text)?.[1]);
  expect(isThere(escaped)).toBe(true);

  for (const id of [clean, untidy]) await life.untilStatus(id, 'Done');
  await until(branches, (names) => names === untidy, 100_000);
  expect(isThere(escaped)).toBe(false);
  const [kept = '', ...others] = left();
  expect(others).toEqual([]);
  const first = await door.post<GcAnswer>('/gc');
  expect(first.removed).toEqual([]);
  expect(first.kept).toEqual([{ issue: untidy, why: expect.stringContaining('thoughts.txt') }]);
  rmSync(join(workspaces, kept, 'thoughts.txt'));
  expect((await door.post<GcAnswer>('/gc')).removed).toEqual([untidy]);
  expect([left(), await branches()]).toEqual([[], '']);

  const before = await life.detail(clean);
  // The base has moved on since.
  writeFileSync(join(legion.repository, 'README.md'), 'hello again\n');
  await git(legion.repository, 'commit', '--quiet', '--all', '--message=meanwhile');
  const { pullRequest, branch } = await door.post<RollbackAnswer>(`/issues/${clean}/rollback`, { by: 'Ada' });
  expect(pullRequest).not.toBe(before.pullRequest?.number);
  expect(await git(legion.repository, 'ls-tree', '--name-only', branch)).not.toContain('greeting.txt');
  expect((await life.issue(clean)).labels).toContain('rollback');
  expect((await life.issue(clean)).status).not.toBe('Done');
  const again = await door.post<RollbackAnswer>(`/issues/${clean}/rollback`, { by: 'Ada' });
  expect(again.pullRequest).toBe(pullRequest);
  // Nobody begins anew before a person says so.
  expect((await life.inbox()).map(({ kind, issue }) => [kind, issue])).toEqual([['approval', clean]]);
  await door.post(`/pull-requests/${pullRequest}/merge`, { by: 'Ada', force: true });
  expect(await git(legion.repository, 'ls-tree', '--name-only', 'main')).not.toContain('greeting.txt');
  await door.post(`/issues/${clean}/approve`, { by: 'Ada' });

  await life.untilStatus(clean, 'Done');
  const after = await life.detail(clean);
  expect(after.pullRequest?.state).toBe('merged');
  expect(after.pullRequest?.number).not.toBe(before.pullRequest?.number);
  expect(await git(legion.repository, 'show', 'main:greeting.txt')).toBe('good day');
  const landed = (await door.events()).filter(
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
