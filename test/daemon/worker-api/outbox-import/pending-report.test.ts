import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPendingReport } from '../../../../src/daemon/worker-api/outbox-import/entries.ts';
import { keepInOutbox, writeDoneFlag } from '../../../../src/worker-client/outbox.ts';

const WHO = { worker: 'demo-1-plan', attempt: 1 };

let outbox: string;
beforeEach(() => {
  outbox = mkdtempSync(join(tmpdir(), 'legion-left-'));
});
afterEach(() => rmSync(outbox, { recursive: true, force: true }));

const keep = (verb: 'done' | 'error' | 'comment', at: number) =>
  keepInOutbox(outbox, { id: randomUUID(), verb, input: {}, at, ...WHO, token: 'lw1.x.y' });
const flag = (at: number) => writeDoneFlag(outbox, { verb: 'done', at, ...WHO });

test('returns "none" if there are no messages or no outbox directory', async () => {
  expect(await findPendingReport(outbox)).toBe('none');
  expect(await findPendingReport(join(outbox, 'never-made'))).toBe('none');
});

test('does not treat a stored comment as a report', async () => {
  await keep('comment', 1);
  expect(await findPendingReport(outbox)).toBe('none');
});

test('returns the latest of several stored reports', async () => {
  await keep('done', 1_000);
  await keep('error', 2_000);
  await keep('comment', 3_000);
  expect(await findPendingReport(outbox)).toEqual({ where: 'outbox', outcome: 'error', since: 2_000 });
});

test('returns the report in the done flag, but prefers a stored report', async () => {
  await flag(5_000);
  expect(await findPendingReport(outbox)).toEqual({ where: 'done_flag', outcome: 'done', since: 5_000 });
  await keep('error', 6_000);
  expect(await findPendingReport(outbox)).toMatchObject({ where: 'outbox', outcome: 'error' });
});

test.each<[string, () => void]>([
  ['malformed', () => writeFileSync(join(outbox, 'done.flag'), '{"verb":')],
  ['a directory', () => mkdirSync(join(outbox, 'done.flag'))],
  ['a symlink', () => symlinkSync('/etc/hostname', join(outbox, 'done.flag'))],
])('ignores a done flag that is %s', async (_, make) => {
  make();
  expect(await findPendingReport(outbox)).toBe('none');
});

test('returns "unavailable" if the outbox is unreadable', async () => {
  const file = join(outbox, 'a-file');
  writeFileSync(file, '');
  expect(await findPendingReport(file)).toBe('unavailable');
});
