/** Tests that CI runs once per commit, with limited concurrency, in a clean temporary checkout. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunCi } from '../../../../src/integrations/local/forge/ci.ts';
import { pullRequest, read } from '../../../ports/forge/conformance/forge-under-test.ts';
import { eventually } from '../../../ports/forge/eventually.ts';
import { git } from '../../../ports/forge/git.ts';
import { type World, world } from './world.ts';

const PASSED = { verdict: 'passed', name: 'unit', logTail: '' } as const;

describe('CI', () => {
  let here: World;
  beforeEach(async () => {
    here = world('ordinary');
    await here.make();
  });
  afterEach(() => here.dispose());

  const checkouts = () => readdirSync(join(here.state, 'checkouts'));
  const comes = (forge: Parameters<typeof read>[0], branch: string, wanted: string) =>
    eventually(`${branch} ${wanted}`, async () =>
      (await read(forge, branch)).ci === wanted ? true : undefined,
    );

  test('sees the complete commit in a clean checkout, and cannot change the repository’s branches', async () => {
    const seen: string[] = [];
    const run: RunCi = async (checkout, sha) => {
      seen.push(
        await git(checkout, 'rev-parse', 'HEAD'),
        await git(checkout, 'status', '--porcelain', '--ignored'),
      );
      seen.push(
        readFileSync(join(checkout, 'left-out.txt'), 'utf8'),
        String(existsSync(join(checkout, 'litter.txt'))),
      );
      await git(checkout, 'update-ref', 'refs/heads/main', sha);
      await git(checkout, 'gc', '--quiet', '--prune=now');
      return PASSED;
    };
    const forge = await here.open({ ci: { run } });
    const base = await here.hand.baseSha();
    await here.hand.commit('eng-1', {
      '.gitattributes': 'left-out.txt export-ignore\n',
      'left-out.txt': 'here',
    });
    writeFileSync(join(here.hand.workspace('eng-1'), 'litter.txt'), 'not committed');
    const { headSha } = await pullRequest(here, forge, 'eng-1', {}).catch((error) => Promise.reject(error));
    await comes(forge, 'eng-1', 'passing');
    expect(seen).toEqual([headSha, '', 'here', 'false']);
    expect(await here.hand.baseSha()).toBe(base);
    await eventually('the checkout to be removed', () => (checkouts().length === 0 ? true : undefined));
  });

  test('runs once per commit, however often two forge handles request it', async () => {
    let runs = 0;
    const gate = Promise.withResolvers<void>();
    const run: RunCi = async () => {
      runs += 1;
      await gate.promise;
      return PASSED;
    };
    const forge = await here.open({ ci: { run } });
    const other = await here.open({ ci: { run } });
    await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    for (const each of [forge, other, forge, other]) expect((await read(each, 'eng-1')).ci).toBe('pending');
    await eventually('a run', () => (runs > 0 ? true : undefined));
    gate.resolve();
    await comes(forge, 'eng-1', 'passing');
    await comes(other, 'eng-1', 'passing');
    expect(runs).toBe(1);
  });

  test('respects its concurrency limit and queues only the newest commit of a branch', async () => {
    const started: string[] = [];
    let most = 0;
    let now = 0;
    const gate = Promise.withResolvers<void>();
    const run: RunCi = async (_, sha) => {
      started.push(sha);
      now += 1;
      most = Math.max(most, now);
      await gate.promise;
      now -= 1;
      return PASSED;
    };
    const forge = await here.open({ ci: { run, atOnce: 2 } });
    for (const branch of ['eng-1', 'eng-2', 'eng-3', 'eng-4'])
      await pullRequest(here, forge, branch, { 'a.txt': branch });
    const superseded = (await read(forge, 'eng-4')).headSha;
    const newest = await here.hand.commit('eng-4', { 'a.txt': 'newer' });
    await forge.push('eng-4', here.hand.workspace('eng-4'));
    await eventually('two runs', () => (started.length === 2 ? true : undefined));
    gate.resolve();
    for (const branch of ['eng-1', 'eng-2', 'eng-3', 'eng-4']) await comes(forge, branch, 'passing');
    expect(most).toBe(2);
    expect(started).toContain(newest);
    expect(started).not.toContain(superseded);
  });

  test('reports "could not run" for a runner that throws or never ends, and frees its slot', async () => {
    const run: RunCi = async (checkout, _, signal) => {
      if (existsSync(join(checkout, 'throws.txt'))) throw new Error('no such command');
      // Returns "failed" only because it was aborted.
      return new Promise((end) =>
        signal.addEventListener('abort', () => end({ verdict: 'failed', name: 'unit', logTail: 'killed' })),
      );
    };
    const forge = await here.open({ ci: { run, atOnce: 1, limitMs: 100 } });
    await pullRequest(here, forge, 'eng-1', { 'throws.txt': '' });
    await pullRequest(here, forge, 'eng-2', { 'hangs.txt': '' });
    await comes(forge, 'eng-1', 'unknown');
    await comes(forge, 'eng-2', 'unknown');
    expect(checkouts()).toEqual([]);
  });

  test('runs once more if it could not run; if that fails too, reports a timeout separately from other obstacles', async () => {
    const run: RunCi = async (checkout, _, signal) => {
      if (existsSync(join(checkout, 'throws.txt'))) throw new Error('no such command');
      return new Promise((end) =>
        signal.addEventListener('abort', () => end({ verdict: 'failed', name: 'unit', logTail: 'hung' })),
      );
    };
    const forge = await here.open({ ci: { run, limitMs: 100, retryAfterMs: 60_000 } });
    await pullRequest(here, forge, 'eng-1', { 'throws.txt': '' });
    const { headSha } = await pullRequest(here, forge, 'eng-2', { 'hangs.txt': '' });
    await comes(forge, 'eng-1', 'unknown');
    await comes(forge, 'eng-2', 'unknown');
    here.hand.passRetryTime();
    await comes(forge, 'eng-1', 'interrupted');
    await comes(forge, 'eng-2', 'timed_out');
    expect(await forge.failingCheck(headSha, new AbortController().signal)).toEqual({
      name: 'unit',
      logTail: 'hung',
    });
  });

  test('keeps only the end of a long log, without control characters', async () => {
    const logTail = `\x1b[31m${'x'.repeat(100_000)}\x1b[0m\0 the end`;
    const forge = await here.open({
      ci: { run: async () => ({ verdict: 'failed', name: 'unit', logTail }) },
    });
    const { headSha } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    await comes(forge, 'eng-1', 'failing');
    const kept = (await forge.failingCheck(headSha, new AbortController().signal))?.logTail ?? '';
    expect(kept).toMatch(/^x+ the end$/);
    expect(kept.length).toBeLessThan(20_000);
  });

  test('is aborted without a result when the forge closes, and runs again when it is reopened', async () => {
    const aborted: boolean[] = [];
    const hang: RunCi = (_, __, signal) =>
      new Promise((end) =>
        signal.addEventListener('abort', () => {
          aborted.push(true);
          end({ verdict: 'failed', name: 'unit', logTail: '' });
        }),
      );
    const forge = await here.open({ ci: { run: hang } });
    await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    await eventually('the checkout', () => (checkouts().length === 1 ? true : undefined));
    await forge.close();
    expect(checkouts()).toEqual([]);
    await comes(await here.open({ ci: { run: async () => PASSED } }), 'eng-1', 'passing');
  });

  test('removes checkouts and claims of a dead process, and keeps those of a live process', async () => {
    await here.open();
    const root = join(here.state, 'checkouts');
    for (const owner of [`4194303@gone`, `${process.pid}@other-start`])
      mkdirSync(join(root, `0123456789ab@${owner}@1`, 'deep'), { recursive: true });
    mkdirSync(join(root, `0123456789ab@${process.pid}@@2`));
    mkdirSync(join(root, 'not-ours'));
    await here.hand.commit('eng-1', { 'a.txt': 'a' });
    const sha = await git(here.repository, 'rev-parse', 'eng-1');
    const dead = {
      host: (await import('node:os')).hostname(),
      pid: 4194303,
      started: 'gone',
      nonce: crypto.randomUUID(),
    };
    writeFileSync(join(here.state, 'ci', `${sha}.running`), JSON.stringify(dead));
    const forge = await here.open({ ci: { run: async () => PASSED } });
    expect(checkouts().sort()).toEqual([`0123456789ab@${process.pid}@@2`, 'not-ours']);
    await pullRequest(here, forge, 'eng-1', {});
    await comes(forge, 'eng-1', 'passing');
  });
});
