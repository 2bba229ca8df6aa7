import { afterEach, expect, test } from 'vitest';
import type { IssueView } from '../../src/protocol/board.ts';
import type { WorkerView } from '../../src/protocol/workers.ts';
import { git } from '../ports/forge/git.ts';
import { createTestLegion, type RunningDaemon, type TestLegion, until } from '../support/running-daemon.ts';

let legion: TestLegion;
let running: RunningDaemon | undefined;

afterEach(async () => {
  await running?.stop();
  running = undefined;
  legion.dispose();
});

const FEATURE = {
  title: 'Add a greeting module',
  body: 'The library should export a function that greets a person by name.\n\nAcceptance criteria:\n- greet("Ada") returns "Hello, Ada"\n- an empty name is refused',
  labels: ['chore'],
};

test('an issue goes from Triage to Done through every phase, and its work is on main', async () => {
  legion = await createTestLegion({
    files: {
      '.legion/config.yml':
        'merge: { auto_merge_allowed: true }\ncommands: { ci: [git, log, HEAD], quality_gate: [git, status] }\n',
    },
  });
  running = await legion.start();
  const { get, post } = running;
  const [commands] = await get<{ repo: string; fingerprint: string }[]>('/repositories/commands');
  await post('/repositories/commands/approve', { repo: commands?.repo, fingerprint: commands?.fingerprint });
  const { id } = await post<IssueView>('/issues', FEATURE);
  const done = await until(
    () => get<{ issue: IssueView; workers: WorkerView[] }>(`/issues/${id}`),
    ({ issue }) => issue.status === 'Done',
  );
  expect(done.issue.labels).toEqual(['auto-merged', 'chore']);
  expect(done.workers.map(({ mode, status, attempt }) => [mode, status, attempt])).toEqual([
    ['architect', 'finished', 1],
    ['plan', 'finished', 1],
    ['implement', 'finished', 2],
    ['test', 'finished', 1],
    ['review', 'finished', 1],
    ['merge', 'finished', 1],
  ]);
  expect(await git(legion.repository, 'log', '--format=%s', 'main')).toContain(id);
});
