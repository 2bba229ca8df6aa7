import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportLeft } from '../../../../src/daemon/outbox/report-left.ts';
import { raiseDoneFlag } from '../../../../src/speech/done-flag.ts';
import { keepInOutbox } from '../../../../src/speech/outbox.ts';

const WHO = { worker: 'demo-1-plan', attempt: 1 };

let outbox: string;
beforeEach(() => {
  outbox = mkdtempSync(join(tmpdir(), 'legion-left-'));
});
afterEach(() => rmSync(outbox, { recursive: true, force: true }));

const keep = (verb: 'done' | 'error' | 'comment', at: number) =>
  keepInOutbox(outbox, { id: randomUUID(), verb, input: {}, at, ...WHO, token: 'lw1.x.y' });
const flag = (at: number) => raiseDoneFlag(outbox, { verb: 'done', at, ...WHO });

test('nothing is left where nothing was said, or the folder was never made', async () => {
  expect(await reportLeft(outbox)).toBe('none');
  expect(await reportLeft(join(outbox, 'never-made'))).toBe('none');
});

test('a comment that waits is no report', async () => {
  await keep('comment', 1);
  expect(await reportLeft(outbox)).toBe('none');
});

test('of several reports that wait the latest counts', async () => {
  await keep('done', 1_000);
  await keep('error', 2_000);
  await keep('comment', 3_000);
  expect(await reportLeft(outbox)).toEqual({ where: 'outbox', outcome: 'error', since: 2_000 });
});

test('a flag says that there was a report; one that waits says more', async () => {
  await flag(5_000);
  expect(await reportLeft(outbox)).toEqual({ where: 'done_flag', outcome: 'done', since: 5_000 });
  await keep('error', 6_000);
  expect(await reportLeft(outbox)).toMatchObject({ where: 'outbox', outcome: 'error' });
});

test.each<[string, () => void]>([
  ['garbage', () => writeFileSync(join(outbox, 'done.flag'), '{"verb":')],
  ['a folder', () => mkdirSync(join(outbox, 'done.flag'))],
  ['a link', () => symlinkSync('/etc/hostname', join(outbox, 'done.flag'))],
])('a flag that is %s says nothing', async (_, make) => {
  make();
  expect(await reportLeft(outbox)).toBe('none');
});

test('what cannot be looked at is not the same as nothing', async () => {
  const file = join(outbox, 'a-file');
  writeFileSync(file, '');
  expect(await reportLeft(file)).toBe('unavailable');
});
