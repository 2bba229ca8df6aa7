/**
 * Tests how Legion detects that a worker has sent its final report or a question, either of which
 * ends its phase for now.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { createOutboxEntryName, DONE_FLAG, QUESTION_FLAG } from '../../src/protocol/outbox.ts';
import type { VerbName } from '../../src/protocol/verb.ts';
import { hasFinalReport, markAsked } from '../../src/worker-client/outbox.ts';

const ID = 'c08374a6-7ae4-4c07-b5af-31b3a5e2bc5a';

function outbox(): string {
  return mkdtempSync(join(inject('scratch'), 'final-report-'));
}

function keep(folder: string, verb: VerbName): void {
  const entry = { id: ID, verb, input: {}, at: 1, worker: 'demo-1-implement', attempt: 1, token: 't' };
  writeFileSync(join(folder, createOutboxEntryName(1, ID, [])), JSON.stringify(entry));
}

test('an empty or missing outbox contains no final report', async () => {
  expect(await hasFinalReport(outbox())).toBe(false);
  expect(await hasFinalReport(join(outbox(), 'later'))).toBe(false);
});

test.each([DONE_FLAG, QUESTION_FLAG])(
  'treats a report that the daemon has received as final: %s',
  async (flag) => {
    const folder = outbox();
    writeFileSync(join(folder, flag), '');
    expect(await hasFinalReport(folder)).toBe(true);
  },
);

test.each(['done', 'error', 'ask'] as const)(
  'treats a report that is still waiting for the daemon as final: %s',
  async (verb) => {
    const folder = outbox();
    keep(folder, verb);
    expect(await hasFinalReport(folder)).toBe(true);
  },
);

test('other verbs and unreadable files do not count as a final report', async () => {
  const folder = outbox();
  keep(folder, 'checkpoint');
  expect(await hasFinalReport(folder)).toBe(false);
  writeFileSync(join(folder, createOutboxEntryName(2, ID, [])), '{"verb":"done"');
  expect(await hasFinalReport(folder)).toBe(false);
});

test('records that the daemon has received a question, and continues if the record cannot be written', async () => {
  const folder = join(outbox(), 'new');
  await markAsked(folder);
  expect(await hasFinalReport(folder)).toBe(true);
  await markAsked('/dev/null/nowhere');
});
