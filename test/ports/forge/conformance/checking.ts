/**
 * Tests that CI results belong to a commit. They are pending until CI ends, and final afterwards.
 * "Could not run" is neither passing nor failing.
 */
import { describe, expect, test } from 'vitest';
import type { CiStatus } from '../../../../src/core/model/pull-request.ts';
import type { CheckLog, Forge } from '../../../../src/ports/forge.ts';
import { eventually } from '../eventually.ts';
import { NEVER, NO_COMMIT, type Present, pullRequest, read, TEXT } from './forge-under-test.ts';

export function checking(present: Present): void {
  describe('CI checks', () => {
    test('have the status none, not unknown, in a repository without CI', async () => {
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const { ci, headSha } = await read(forge, 'eng-1');
      expect(ci).toBe('none');
      expect(await forge.checks(headSha, NEVER)).toEqual([]);
      expect(await forge.findChecks(NEVER)).toBe('none');
    });

    test('are reported by findChecks once a check has run', async () => {
      const forge = await present().fresh({ ci: true });
      await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await comes(forge, 'passing');
      expect(await forge.findChecks(NEVER)).toBe('some');
      expect(await (await present().reopen()).findChecks(NEVER)).toBe('some');
    });

    test('are pending while they run, then passing, even when read by a reopened forge', async () => {
      const forge = await present().fresh({ ci: true });
      present().hand.ciSays('running');
      const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      expect((await read(forge, 'eng-1')).ci).toBe('pending');
      expect((await read(forge, 'eng-1')).ci).toBe('pending');
      const [pending] = await forge.checks(headSha, NEVER);
      expect(pending).toMatchObject({ status: 'pending' });
      expect(await logOf(forge, headSha)).toEqual([{ missing: expect.stringContaining('still running') }]);
      present().hand.ciSays('passed');
      await comes(forge, 'passing');
      expect(await forge.failingCheck(headSha, NEVER)).toBeUndefined();
      present().hand.ciSays('failed');
      expect((await read(await present().reopen(), 'eng-1')).ci).toBe('passing');
    });

    test('report the name and the last lines of a failing check, and run again for the next commit', async () => {
      const forge = await present().fresh({ ci: true });
      present().hand.ciSays('failed');
      const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await comes(forge, 'failing');
      const check = await forge.failingCheck(headSha, NEVER);
      expect(check?.name).not.toBe('');
      expect(check?.logTail).not.toBe('');
      expect(await forge.checks(headSha, NEVER)).toEqual([
        expect.objectContaining({ name: check?.name, status: 'failing' }),
      ]);
      present().hand.ciSays('passed');
      await present().hand.commit('eng-1', { 'a.txt': 'mended' });
      const next = await forge.push('eng-1', present().hand.workspace('eng-1'));
      await comes(forge, 'passing');
      expect(await forge.failingCheck(next, NEVER)).toBeUndefined();
      expect(await forge.checks(next, NEVER)).toMatchObject([{ status: 'passing' }]);
      expect(await forge.failingCheck(headSha, NEVER)).toEqual(check);
    });

    test('provide the end of their log, whatever the result', async () => {
      const forge = await present().fresh({ ci: true });
      for (const verdict of ['failed', 'passed', 'could_not_run'] as const) {
        present().hand.ciSays(verdict);
        await present().hand.commit('eng-1', { 'a.txt': verdict });
        const sha = await forge.push('eng-1', present().hand.workspace('eng-1'));
        await forge.open('eng-1', TEXT);
        await comes(forge, ...STATUSES[verdict]);
        expect(await logOf(forge, sha)).toEqual([{ text: expect.stringContaining(`log of ${sha}`) }]);
      }
    });

    test('do not exist for an unknown commit; a request for a log returns the reason why there is none', async () => {
      const forge = await present().fresh({ ci: true });
      expect(await forge.checks(NO_COMMIT, NEVER)).toEqual([]);
      const log = await forge.checkLog(NO_COMMIT, { name: 'unit', status: 'failing' }, NEVER);
      expect(log).toEqual({ missing: expect.stringMatching(/\.$/) });
    });

    test('are neither passing nor failing if they could not run, and are retried after a while', async () => {
      const forge = await present().fresh({ ci: true });
      present().hand.ciSays('could_not_run');
      const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await comes(forge, ...STATUSES.could_not_run);
      expect(await forge.checks(headSha, NEVER)).toMatchObject([{ status: 'could_not_run' }]);
      present().hand.ciSays('passed');
      expect(STATUSES.could_not_run).toContain((await read(forge, 'eng-1')).ci);
      present().hand.passRetryTime();
      await comes(forge, 'passing');
    });

    test('emit a hint for their branch when they finish, even if another listener throws', async () => {
      const forge = await present().fresh({ ci: true });
      const heard: string[] = [];
      forge.subscribe(() => {
        throw new Error('mine');
      });
      const stop = forge.subscribe((branch) => heard.push(branch));
      present().hand.ciSays('passed');
      await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await eventually('a hint', () => heard.find((branch) => branch === 'eng-1'));
      await comes(forge, 'passing');
      stop();
      const before = heard.length;
      await present().hand.commit('eng-1', { 'a.txt': 'b' });
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      await comes(forge, 'passing');
      expect(heard).toHaveLength(before);
    });
  });
}

/** A forge that runs CI again by itself does not know the result before the second run. */
const STATUSES = {
  passed: ['passing'],
  failed: ['failing'],
  could_not_run: ['unknown', 'timed_out', 'interrupted'],
} as const satisfies Record<string, readonly CiStatus[]>;

async function logOf(forge: Forge, sha: string): Promise<readonly CheckLog[]> {
  const checks = await forge.checks(sha, NEVER);
  return Promise.all(checks.map((check) => forge.checkLog(sha, check, NEVER)));
}

async function comes(forge: Forge, ...wanted: readonly CiStatus[]): Promise<void> {
  await eventually(`CI ${wanted.join(' or ')}`, async () =>
    wanted.includes((await read(forge, 'eng-1')).ci) ? true : undefined,
  );
}
