/**
 * Checks that the gates of a merged issue keep showing the evidence from the time of the merge,
 * even after a restart.
 */
import { expect, test } from 'vitest';
import type { GatesView } from '../../../src/protocol/operator.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { AUTO_MERGE_FILES, setUpDaemons, type TestDaemon } from '../support/legion.ts';

const startDaemon = setUpDaemons();

const AT_THE_MERGE = [
  ['in_retro', 'status=Retro'],
  ['names_issue', 'namesIssue=true'],
  ['ci_green', 'ci=none, evidence.qualityGate=passed'],
  ['review_approved', 'review=approved'],
  ['tests_passed', 'test-passed=true, evidence.test=passed'],
  ['retro_done', 'evidence.retro=passed'],
  ['no_open_question', 'user-input-needed=false'],
  ['mergeable', 'mergeable=mergeable'],
  ['real_work', 'scripted=true, demoRepository=true'],
  ['not_paused', 'legion-paused=false'],
  ['not_blocked', 'blockers=none'],
  ['approved', 'human-approved=false, autoMerge=pass'],
].map(([name, evidence]) => ({ name, verdict: 'pass', evidence }));

test('once an issue is Done, `gates` shows every merge condition as it was at the time of the merge, even after a restart', async () => {
  const daemon = await startDaemon({ files: AUTO_MERGE_FILES });
  const id = await daemon.add({ status: 'In Progress' });
  await daemon.untilStatus(id, 'Done');
  const before = await gatesOf(daemon, id);
  expect(before).toMatchObject({ verdict: 'pass', preMerge: AT_THE_MERGE });
  expect(before.merged).toMatchObject({ pullRequest: 1, by: `${id.toLowerCase()}-merge` });
  expect(before.autoMerge.allowed).toBe(true);
  expect(before.autoMerge.conditions.map(({ verdict }) => verdict)).not.toContain('fail');
  expect(before.autoMerge.conditions.length).toBeGreaterThan(4);

  await daemon.stop();
  await daemon.startProcess();
  expect(await gatesOf(daemon, id)).toEqual(before);
  const { stdout } = await legionIn(
    { cwd: daemon.legion.repository, env: daemon.legion.environment },
    'gates',
    id,
  );
  expect(stdout).toContain(`${id}: pull request 1 was merged as ${before.merged?.mergedSha.slice(0, 10)} by`);
  expect(stdout).toContain('conditions as they were then');
  expect(stdout).toMatch(/retro done +evidence\.retro=passed/);
});

function gatesOf({ client }: TestDaemon, id: string): Promise<GatesView> {
  return client.get(`/issues/${id}/gates`);
}
