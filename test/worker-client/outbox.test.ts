import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  createOutboxEntryName,
  isOutboxEntryName,
  type OutboxEntry,
  parseDoneFlag,
  parseOutboxEntry,
} from '../../src/protocol/outbox.ts';
import { keepInOutbox } from '../../src/worker-client/outbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'legion-outbox-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ids = ['ffffffff', 'aaaaaaaa', '00000000'].map((start) => `${start}-0000-4000-8000-000000000000`);
const entry = (id: string, at: number): OutboxEntry => ({
  id,
  verb: 'comment',
  input: { text: id },
  at,
  worker: 'demo-1-plan',
  attempt: 1,
  token: 'secret',
});

test('file names sort in the order in which messages were stored, even if the clock is set back', async () => {
  const outbox = join(folder, 'a', 'b');
  for (const [index, id] of ids.entries()) await keepInOutbox(outbox, entry(id, 5_000 - index));
  const names = readdirSync(outbox).toSorted();
  const read = names.map((name) => parseOutboxEntry(readFileSync(join(outbox, name), 'utf8'), name));
  expect(read).toEqual(ids.map((id, index) => ({ ok: true, value: entry(id, 5_000 - index) })));
});

test('ignores other files in the directory', async () => {
  const outbox = join(folder, 'c');
  mkdirSync(outbox);
  for (const name of ['done.flag', '.draft-1', 'x.json', '999999999999999-x.json', '..']) {
    expect(isOutboxEntryName(name)).toBe(false);
    if (name !== '..') writeFileSync(join(outbox, name), 'x');
  }
  const file = await keepInOutbox(outbox, entry(String(ids[0]), 5_000));
  expect(file).toBe(join(outbox, `000000000005000-${ids[0]}.json`));
  expect(readdirSync(outbox).filter(isOutboxEntryName)).toHaveLength(1);
});

test('a message still gets a valid name after a message with the maximum timestamp', () => {
  const last = createOutboxEntryName(10 ** 15 - 1, String(ids[0]), []);
  const next = createOutboxEntryName(Date.now(), String(ids[1]), [last]);
  expect(isOutboxEntryName(last) && isOutboxEntryName(next)).toBe(true);
});

test.each([
  ['no JSON', '{', 'm.json: is not JSON'],
  [
    'an unknown verb',
    JSON.stringify({ ...entry(String(ids[0]), 1), verb: 'constructor' }),
    'm.json.verb: expected one of',
  ],
  [
    'no token',
    JSON.stringify({ ...entry(String(ids[0]), 1), token: '' }),
    'm.json.token: must be of length at least 1',
  ],
])('refuses an entry with %s', (_, text, message) => {
  const read = parseOutboxEntry(text, 'm.json');
  expect(read).toMatchObject({ ok: false, fault: { message: expect.stringContaining(message) } });
});

test('refuses a malformed done flag', () => {
  expect(parseDoneFlag('true')).toMatchObject({ ok: false, fault: { code: 'input.invalid' } });
});
