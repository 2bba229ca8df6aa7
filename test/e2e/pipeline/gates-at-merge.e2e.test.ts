/** What the gates show once an issue is merged: the evidence of that moment, also for the next daemon. */
import { expect, test } from 'vitest';
import type { GatesView } from '../../../src/protocol/operator.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';

const begin = stage();

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

test('after Done and a restart the gates show every condition as it was at the merge', async () => {
  const life = await begin({ files: MERGING });
  const id = await life.add({ status: 'In Progress' });
  await life.untilStatus(id, 'Done');
  const before = await gatesOf(life, id);
  expect(before).toMatchObject({ verdict: 'pass', preMerge: AT_THE_MERGE });
  expect(before.merged).toMatchObject({ pullRequest: 1, by: `${id.toLowerCase()}-merge` });
  expect(before.autoMerge.allowed).toBe(true);
  expect(before.autoMerge.conditions.map(({ verdict }) => verdict)).not.toContain('fail');
  expect(before.autoMerge.conditions.length).toBeGreaterThan(4);

  await life.stop();
  await life.startApart();
  expect(await gatesOf(life, id)).toEqual(before);
  const { stdout } = await legionIn(
    { cwd: life.legion.repository, env: life.legion.environment },
    'gates',
    id,
  );
  expect(stdout).toContain(`${id}: pull request 1 was merged as ${before.merged?.mergedSha.slice(0, 10)} by`);
  expect(stdout).toContain('conditions as they were then');
  expect(stdout).toMatch(/retro done +evidence\.retro=passed/);
});

function gatesOf({ door }: Life, id: string): Promise<GatesView> {
  return door.get(`/issues/${id}/gates`);
}
