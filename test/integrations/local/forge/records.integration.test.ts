/** Records survive damage to one of them, and numbers are never given out twice. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reviewVerdict } from '../../../../src/core/model/pull-request.ts';
import { NEVER, pullRequest, read, TEXT } from '../../../ports/forge/conformance/forge-under-test.ts';
import { refusal } from '../../../ports/forge/refusal.ts';
import { type World, world } from './world.ts';

describe('records', () => {
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
      'of a wrong type',
      (text: string) => text.replace('"draft": false', '"draft": 0'),
      /pullRequest\.draft: expected boolean, got number 0/,
    ],
    [
      'of a newer format',
      (text: string) => text.replace('"format": 1', '"format": 2'),
      /pullRequest\.format: expected 1/,
    ],
    [
      'that of another',
      (text: string) => text.replace('"number": 1', '"number": 5'),
      /another pull request, 5/,
    ],
  ])(
    'one that is %s is set aside with a fault that names the file; the others go on',
    async (_, damage, says) => {
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
      expect(here.faults, 'told once').toHaveLength(1);
      expect(here.faults[0]).toMatchObject({
        code: 'forge.record_broken',
        message: expect.stringContaining(file),
      });
      expect(here.faults[0]?.message).toMatch(says);

      expect(await refusal(again.open('eng-1', TEXT))).toMatchObject({ code: 'forge.record_broken' });
      expect(await refusal(again.comment(number, 'k', 't'))).toMatchObject({ code: 'forge.record_broken' });
      await again.merge(healthy.number, await read(again, 'eng-2'));
      expect(readFileSync(file, 'utf8'), 'left as it is').toBe(damaged);
    },
  );

  test('numbers are not given out again, not even when the last record is taken away', async () => {
    const forge = await here.fresh();
    const { number } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    rmSync(fileOf(number));
    expect(await (await here.reopen()).open('eng-1', TEXT)).toBe(number + 1);
    rmSync(join(shelf(), 'last-number'));
    await here.hand.commit('eng-2', { 'b.txt': 'b' });
    expect(await (await here.reopen()).open('eng-2', TEXT)).toBe(number + 2);
  });

  test('a write that was cut off leaves the old record, and what it left is swept away later', async () => {
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

  test('the later review is the later one, also by a clock that was set back', async () => {
    const forge = await here.fresh();
    const { number, headSha: sha } = await pullRequest(here, forge, 'eng-1', { 'a.txt': 'a' });
    const review = { reviewer: 'ann', sha, text: 'read' };
    await forge.review(number, { ...review, verdict: 'changes_requested' });
    here.clock.advance(-60 * 60_000);
    await forge.review(number, { ...review, verdict: 'approved' });
    const { reviews } = await read(forge, 'eng-1');
    expect(reviewVerdict(reviews, () => true)).toBe('approved');
  });

  test('two branches whose names differ only in case or marks have records of their own', async () => {
    const forge = await here.fresh();
    const numbers = new Set<number>();
    for (const branch of ['eng-1', 'ENG-1', 'eng/1', 'eng.1']) {
      numbers.add((await pullRequest(here, forge, branch, { 'a.txt': branch })).number);
    }
    expect(numbers.size).toBe(4);
  });

  test('opening says what is missing', async () => {
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
