/** Whether a worker has said what ends its phase for now. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { ASKED_FLAG, DONE_FLAG, outboxEntryName } from '../../src/protocol/outbox.ts';
import type { VerbName } from '../../src/protocol/verb.ts';
import { hasLastWord, markAsked } from '../../src/speech/last-word.ts';

const ID = 'c08374a6-7ae4-4c07-b5af-31b3a5e2bc5a';

function outbox(): string {
  return mkdtempSync(join(inject('scratch'), 'last-word-'));
}

function keep(folder: string, verb: VerbName): void {
  const entry = { id: ID, verb, input: {}, at: 1, worker: 'demo-1-implement', attempt: 1, token: 't' };
  writeFileSync(join(folder, outboxEntryName(1, ID, [])), JSON.stringify(entry));
}

test('an outbox that is empty, or not there, has none', async () => {
  expect(await hasLastWord(outbox())).toBe(false);
  expect(await hasLastWord(join(outbox(), 'later'))).toBe(false);
});

test.each([DONE_FLAG, ASKED_FLAG])('what the daemon has is one: %s', async (flag) => {
  const folder = outbox();
  writeFileSync(join(folder, flag), '');
  expect(await hasLastWord(folder)).toBe(true);
});

test.each(['done', 'error', 'ask'] as const)('what waits for the daemon is one: %s', async (verb) => {
  const folder = outbox();
  keep(folder, verb);
  expect(await hasLastWord(folder)).toBe(true);
});

test('what goes on afterwards is none, and neither is what cannot be read', async () => {
  const folder = outbox();
  keep(folder, 'checkpoint');
  expect(await hasLastWord(folder)).toBe(false);
  writeFileSync(join(folder, outboxEntryName(2, ID, [])), '{"verb":"done"');
  expect(await hasLastWord(folder)).toBe(false);
});

test('a question is marked once the daemon has it, and a mark that cannot be written is no fault', async () => {
  const folder = join(outbox(), 'new');
  await markAsked(folder);
  expect(await hasLastWord(folder)).toBe(true);
  await markAsked('/dev/null/nowhere');
});
