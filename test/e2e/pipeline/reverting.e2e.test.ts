/** From a bad merge to a base without it, by the commands a person types; the daemon dies in the middle. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MergeAnswer, RollbackAnswer } from '../../../src/protocol/merging.ts';
import { legionIn } from '../../cli/support/legion.ts';
import { git } from '../../ports/forge/git.ts';
import { type Life, MERGING, stage } from '../support/legion.ts';
import { HELD_FILES, heldMerges } from '../support/merge-hold.ts';
import { HAND_IN } from '../support/steps.ts';

const begin = stage();

test('a revert is opened, merged by hand while the daemon is killed, and known to the next one', async () => {
  const life = await begin({
    files: { ...MERGING, ...HELD_FILES, 'greeting.held': 'good\n' },
    scenario: [
      {
        phase: 'implement',
        attempt: 1,
        steps: [{ write: { path: 'greeting.held', content: 'bad\n' } }, ...HAND_IN],
      },
    ],
  });
  const merges = await heldMerges(life);
  const { repository } = life.legion;
  await life.stop();
  await life.startApart();
  const id = await life.add({ status: 'In Progress' });
  await life.untilStatus(id, 'Done');
  expect(await git(repository, 'show', 'main:greeting.held')).toBe('bad');

  const rolledBack = await run(life, 'rollback', id);
  expect(rolledBack.stdout).toContain('main still contains the change');
  const waiting = await run(life, 'inbox');
  expect(waiting.stdout).toContain('The change was rolled back: pull request');
  const [, number = ''] = /`legion pr merge (\d+)`/.exec(rolledBack.stdout) ?? [];
  expect(await git(repository, 'show', 'main:greeting.held')).toBe('bad');
  const refused = await run(life, 'pr', 'merge', number);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('[pr.ci_not_green]');
  expect(refused.stderr).toContain('--force');

  merges.hold();
  const cut = run(life, 'pr', 'merge', number, '--force');
  await merges.untilHeld();
  await life.kill();
  merges.release();
  expect((await cut).code).not.toBe(0);

  await life.startApart();
  const events = await life.untilEvents('the revert is settled', (all) =>
    all.some(({ type }) => type === 'revert.landed'),
  );
  const mergedSha = await git(repository, 'rev-parse', 'main');
  expect(events.filter(({ type }) => type === 'revert.landed')).toMatchObject([
    { issue: id, revert: Number(number), mergedSha, forced: true },
  ]);
  expect(await git(repository, 'show', 'main:greeting.held')).toBe('good');
  expect(readFileSync(join(repository, 'greeting.held'), 'utf8')).toBe('good\n');
  expect(await git(repository, 'status', '--porcelain')).toBe('');

  const again = await run(life, 'pr', 'merge', number, '--force');
  expect(again.stderr).toContain(`merged into main as ${mergedSha}`);
  const explained = await run(life, 'explain', id);
  expect(explained.stdout).toMatch(
    new RegExp(`merged the revert, pull request ${number}, as \\S+ with --force`),
  );
  const shown = await run(life, 'issue', 'show', id);
  expect(shown.stdout).toMatch(new RegExp(`revert +#${number}, merged`));
  expect(await asJson<RollbackAnswer>(life, 'rollback', id)).toMatchObject({ state: 'merged', base: 'main' });
});

test('an operator merges the pull request of an issue that waits for approval, and it is Done', async () => {
  const life = await begin({ files: MERGING, yaml: 'approvals: { architect: auto, merge: required }\n' });
  const id = await life.add({ status: 'In Progress' });
  await life.untilLabel(id, 'needs-approval');
  const { pullRequest } = await life.detail(id);
  const merged = await life.door.post<MergeAnswer>(`/pull-requests/${pullRequest?.number}/merge`, {
    by: 'ada',
  });
  expect(merged).toMatchObject({
    issue: id,
    mergedSha: await git(life.legion.repository, 'rev-parse', 'main'),
  });
  await life.untilStatus(id, 'Done');
  const landed = (await life.door.events()).filter(({ type }) => type === 'merge.landed');
  expect(landed).toMatchObject([{ issue: id, by: 'ada', auto: false }]);
});

function run({ legion }: Life, ...args: string[]) {
  return legionIn({ cwd: legion.repository, env: legion.environment }, ...args);
}

async function asJson<T>(life: Life, ...args: string[]): Promise<T> {
  return JSON.parse((await run(life, ...args, '--json')).stdout);
}
