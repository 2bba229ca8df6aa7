/** Tests reading the checks of a commit and their logs from GitHub. */
import { describe, expect, test } from 'vitest';
import { NEVER, NO_COMMIT, pullRequest } from '../../../ports/forge/conformance/forge-under-test.ts';
import { useWorld } from './use-world.ts';
import { REPO } from './world.ts';

const present = useWorld('one');

async function commit() {
  const forge = await present().fresh();
  const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
  return { forge, headSha, checks: present().github().checks };
}

describe('the failing check', () => {
  test('is returned with the end of its GitHub Actions log, without timestamps and colours', async () => {
    const { forge, headSha, checks } = await commit();
    const lines = Array.from({ length: 5_000 }, (_, at) => `2030-01-01T00:00:00.1234567Z line ${at}\n`);
    const log = `${lines.join('')}2030-01-01T00:00:01.0Z \x1b[31mFAIL\x1b[0m a.test.ts\n`;
    checks.run(REPO, headSha, { name: 'lint', conclusion: 'SUCCESS', log: 'fine' });
    checks.run(REPO, headSha, { name: 'unit', conclusion: 'FAILURE', log });
    const check = await forge.failingCheck(headSha, NEVER);
    expect(check?.name).toBe('unit');
    expect(check?.logTail).toMatch(/line 4999\nFAIL a\.test\.ts\n$/);
    expect(check?.logTail.length).toBeLessThanOrEqual(8_000);
    expect(check?.logTail).not.toContain('line 1\n');
  });

  test('is returned with its summary or status description if it comes from another service', async () => {
    const { forge, headSha, checks } = await commit();
    checks.status(REPO, headSha, 'ci/other', 'FAILURE', '3 of 40 tests failed');
    expect(await forge.failingCheck(headSha, NEVER)).toEqual({
      name: 'ci/other',
      logTail: '3 of 40 tests failed',
    });
    checks.status(REPO, headSha, 'ci/other', 'SUCCESS');
    checks.run(REPO, headSha, { name: 'scan', conclusion: 'FAILURE', summary: 'A secret in \x00a.txt' });
    expect(await forge.failingCheck(headSha, NEVER)).toEqual({
      name: 'scan',
      logTail: 'scan\n\nA secret in a.txt',
    });
  });

  test('is returned even if its log is missing', async () => {
    const { forge, headSha, checks } = await commit();
    checks.run(REPO, headSha, { name: 'unit', conclusion: 'FAILURE', log: 'x', summary: 'It failed' });
    present()
      .github()
      .faults.next({ matching: '/logs', answer: { status: 503 } });
    expect(await forge.failingCheck(headSha, NEVER)).toEqual({ name: 'unit', logTail: 'unit\n\nIt failed' });
  });

  test('is found even beyond the first page, and is undefined if no check fails', async () => {
    const { forge, headSha, checks } = await commit();
    for (let at = 0; at < 120; at += 1)
      checks.run(REPO, headSha, { name: `check ${at}`, conclusion: at % 2 === 0 ? 'SUCCESS' : 'CANCELLED' });
    expect(await forge.failingCheck(headSha, NEVER)).toBeUndefined();
    checks.run(REPO, headSha, { name: 'last', conclusion: 'FAILURE' });
    expect(await forge.failingCheck(headSha, NEVER)).toMatchObject({ name: 'last' });
    expect(await forge.failingCheck(NO_COMMIT, NEVER)).toBeUndefined();
    expect(await forge.failingCheck('HEAD', NEVER)).toBeUndefined();
  });
});

describe('all checks', () => {
  test('are listed with result, summary and URL, even beyond the first page', async () => {
    const { forge, headSha, checks } = await commit();
    checks.run(REPO, headSha, { name: 'unit', conclusion: 'FAILURE', summary: 'It \x1b[31mfailed\x1b[0m' });
    checks.run(REPO, headSha, { name: 'slow', conclusion: 'CANCELLED' });
    checks.run(REPO, headSha, { name: 'e2e', conclusion: null });
    checks.status(REPO, headSha, 'ci/other', 'PENDING', 'in the queue');
    for (let at = 0; at < 120; at += 1)
      checks.run(REPO, headSha, { name: `ok ${at}`, conclusion: 'SUCCESS' });
    const listed = await forge.checks(headSha, NEVER);
    expect(listed).toHaveLength(124);
    const byName = new Map(listed.map((check) => [check.name, check]));
    expect(byName.get('unit')).toMatchObject({ status: 'failing', summary: 'unit\n\nIt failed' });
    expect(byName.get('slow')).toMatchObject({ status: 'could_not_run' });
    expect(byName.get('e2e')).toMatchObject({ status: 'pending' });
    expect(byName.get('ci/other')).toMatchObject({ status: 'pending', summary: 'in the queue' });
    expect(byName.get('ok 119')).toMatchObject({ status: 'passing' });
    expect(await forge.checks('HEAD', NEVER)).toEqual([]);
  });
});

describe('the log of a check', () => {
  async function logOf(name: string, { forge, headSha }: Awaited<ReturnType<typeof commit>>) {
    const check = (await forge.checks(headSha, NEVER)).find((each) => each.name === name);
    if (check === undefined) throw new Error(`there is no check ${name}`);
    return forge.checkLog(headSha, check, NEVER);
  }

  test('belongs to the requested job and has no timestamps or colours', async () => {
    const made = await commit();
    made.checks.run(REPO, made.headSha, { name: 'lint', conclusion: 'SUCCESS', log: 'fine\n' });
    const log = '2030-01-01T00:00:01.0Z \x1b[31mFAIL\x1b[0m a.test.ts\n';
    made.checks.run(REPO, made.headSha, { name: 'unit', conclusion: 'FAILURE', log });
    expect(await logOf('lint', made)).toEqual({ text: 'fine' });
    expect(await logOf('unit', made)).toEqual({ text: 'FAIL a.test.ts' });
    present().asked();
    expect(await logOf('unit', made)).toEqual({ text: 'FAIL a.test.ts' });
    expect(
      present()
        .asked()
        .filter((request) => request.includes('logs')),
    ).toEqual([]);
  });

  test('is absent, with the reason, if GitHub has deleted it, denies access or fails', async () => {
    const made = await commit();
    made.checks.run(REPO, made.headSha, { name: 'unit', conclusion: 'FAILURE', log: 'x' });
    const { faults } = present().github();
    for (const [status, says] of [
      [410, /^GitHub no longer has the log/],
      [403, /could not be read.*answered 403.*permission to read Actions/],
    ] as const) {
      faults.next({ matching: '/logs', answer: { status } });
      expect(await logOf('unit', made)).toEqual({ missing: expect.stringMatching(says) });
    }
    expect(await logOf('unit', made)).toEqual({ text: 'x' });
  });

  test('is not available from GitHub for a check of another service', async () => {
    const made = await commit();
    made.checks.status(REPO, made.headSha, 'ci/other', 'FAILURE', '3 of 40 tests failed');
    expect(await logOf('ci/other', made)).toEqual({ missing: expect.stringContaining('Open its link') });
  });
});
