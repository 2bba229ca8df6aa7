/** Tests that a damaged record does not affect others, and that numbers are never reused. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { judgeReviews } from '../../../../src/core/model/pull-request.ts';
import { NEVER, pullRequest, read, TEXT } from '../../../ports/forge/conformance/forge-under-test.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { type World, world } from './world.ts';

describe('pull request records', () => {
  let here: World;
  beforeEach(() => {
    here = world('bare');
  });
  afterEach(() => here.dispose());

  const shelf = () => join(here.state, 'pull-requests');
  const fileOf = (number: number) => {
    const name = readdirSync(shelf()).find((each) => each.startsWith(`${number}.`));
    return join(shelf(), name ?? 'none');
  };

  test.each([
    ['cut off', (text: string) => text.slice(0, 40), /JSON/],
    ['empty', () => '', /JSON/],
    [
      'wrongly typed',
      (text: string) => text.replace('"draft": false', '"draft": 0'),
      /pullRequest\.draft: expected boolean, got number 0/,
    ],
    [
      'in a newer format',
      (text: string) => text.replace('"format": 1', '"format": 2'),
      /pullRequest\.format: expected 1/,
    ],
    [
      'another pull request’s',
      (text: string) => text.replace('"number": 1', '"number": 5'),
      /another pull request: 5/,
    ],
  ])('that are %s are reported with their file and do not affect other records', async (_, damage, says) => {
    const forge = await here.fresh();
    const { number } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    const healthy = await pullRequest(here, forge, 'eng-2', { 'b.txt': 'b' });
    const file = fileOf(number);
    const damaged = damage(readFileSync(file, 'utf8'));
    writeFileSync(file, damaged);

    const again = await here.reopen();
    const found = await again.pullRequests(['eng-1', 'eng-2', 'eng-3'], NEVER);
    await again.pullRequests(['eng-1'], NEVER);
    expect(found.get('eng-1'), 'unknown is not none').toBe('unknown');
    expect(found.get('eng-2')).toMatchObject({ number: healthy.number });
    expect(found.has('eng-3')).toBe(false);
    expect(here.faults, 'reported once').toHaveLength(1);
    expect(here.faults[0]).toMatchObject({
      code: 'forge.record_broken',
      message: expect.stringContaining(file),
    });
    expect(here.faults[0]?.message).toMatch(says);

    expect(await refusal(again.open('eng-1', TEXT))).toMatchObject({ code: 'forge.record_broken' });
    expect(await refusal(again.comment(number, 'k', 't'))).toMatchObject({ code: 'forge.record_broken' });
    await again.merge(healthy.number, await read(again, 'eng-2'));
    expect(readFileSync(file, 'utf8'), 'unchanged').toBe(damaged);
  });

  test('never reuse a number, even if the last record is deleted', async () => {
    const forge = await here.fresh();
    const { number } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    rmSync(fileOf(number));
    expect(await (await here.reopen()).open('eng-1', TEXT)).toBe(number + 1);
    rmSync(join(shelf(), 'last-number'));
    await here.hand.commit('eng-2', { 'b.txt': 'b' });
    expect(await (await here.reopen()).open('eng-2', TEXT)).toBe(number + 2);
  });

  test('keep their old version after an interrupted write, whose leftover files are removed later', async () => {
    const forge = await here.fresh();
    const { number } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    const litter = `${fileOf(number)}.0a1b.unfinished`;
    writeFileSync(litter, '{"format": 1, "num');
    expect(await read(await here.reopen(), 'eng-1')).toMatchObject({ number });
    expect(readdirSync(shelf())).toHaveLength(3);
    here.clock.advance(2 * 60 * 60_000);
    await here.reopen();
    expect(readdirSync(shelf())).toHaveLength(2);
  });

  test('keep reviews in order even if the clock was set back', async () => {
    const forge = await here.fresh();
    const { number, headSha: sha } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    const review = { reviewer: 'ann', sha, text: 'read' };
    await forge.review(number, { ...review, verdict: 'changes_requested' });
    here.clock.advance(-60 * 60_000);
    await forge.review(number, { ...review, verdict: 'approved' });
    const { reviews } = await read(forge, 'eng-1');
    expect(judgeReviews(reviews, () => true)).toBe('approved');
  });

  test('are separate for branches whose names differ only in case or punctuation', async () => {
    const forge = await here.fresh();
    const numbers = new Set<number>();
    for (const branch of ['eng-1', 'ENG-1', 'eng/1', 'eng.1']) {
      numbers.add((await pullRequest(here, forge, branch, { 'a.txt': branch })).number);
    }
    expect(numbers.size).toBe(4);
  });

  test('cannot be read if the repository, its base or git is missing, or if the state directory is unusable', async () => {
    await here.make();
    expect(await refusal(here.open({ repository: '/nowhere' }))).toMatchObject({
      code: 'forge.repository_missing',
    });
    expect(await refusal(here.open({ base: 'trunk' }))).toMatchObject({ code: 'forge.base_missing' });
    expect(await refusal(here.open({ environment: { PATH: '/nowhere' } }))).toMatchObject({
      code: 'git.missing',
    });
    expect(await refusal(here.open({ state: '/dev/null/state' }))).toMatchObject({
      code: 'forge.unavailable',
    });
  });
});
