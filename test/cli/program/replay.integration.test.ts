import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { perform } from '../support/in-process.ts';
import { legion } from '../support/legion.ts';

const folder = mkdtempSync(join(tmpdir(), 'legion-replay-'));
const path = join(folder, 'journal.db');
const life = { issue: 'DEMO-1', mode: 'plan', attempt: 1 } as const;

const BODIES: readonly EventBody[] = [
  { type: 'leader.elected', leader: 'here' },
  { type: 'attempt.dispatched', ...life, session: 's', version: 0, host: 'here' },
  { type: 'attempt.active', ...life },
  {
    type: 'decision.made',
    issue: 'DEMO-1',
    decision: 1,
    action: 'skip',
    mode: 'plan',
    reason: 'evil\u001b[2J\u202e',
    evidence: [],
  },
  { type: 'attempt.crashed', ...life, evidence: ['process gone', 'no report'] },
];

beforeAll(async () => {
  const journal = await openSqliteJournal(path);
  for (const [index, body] of BODIES.entries()) {
    await journal.append([body], index, { at: Date.UTC(2026, 0, 1, 0, index), epoch: 1 });
  }
  await journal.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

test('prints the end of the journal as tables, with control characters replaced', async () => {
  const { code, stdout } = await legion('replay', path);
  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      'version 5 of 5, leader here (epoch 1)',
      '',
      'ISSUE   LAST DECISION  REASON     ROUNDS  OPEN INTENTS',
      'DEMO-1  skip           evil·[2J·          0',
      '',
      'WORKER       ATTEMPT  STATE    FAILED ATTEMPTS',
      'demo-1-plan  1        crashed  1',
      '',
    ].join('\n'),
  );
});

test.each([
  ['a version', '3', 3, 'executing'],
  ['a time', '2026-01-01T00:01:30Z', 2, 'spawned'],
  ['a version beyond the end', '99', 5, 'crashed'],
])('shows the state at %s', async (_, at, version, state) => {
  const { stdout } = await legion('replay', path, '--at', at, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    version,
    lastVersion: 5,
    workers: [{ id: 'demo-1-plan', state }],
  });
});

test('does not change the journal file', async () => {
  const before = readFileSync(path);
  await legion('replay', path);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test.each([
  ['a call without a journal', [], "Missing required argument 'JOURNAL'. [usage.invalid]"],
  [
    'two journals',
    ['a', 'b'],
    "Too many arguments for 'replay'. Expected 1 argument but got 2. [usage.invalid]",
  ],
  ['an unknown option', ['a', '--when', '3'], "Unknown option '--when'. [usage.invalid]"],
  ['a missing journal', [join(folder, 'none.db')], '[journal.missing]'],
])('refuses %s', async (_, args, message) => {
  const { error, out } = await perform({ cwd: folder, env: {} }, 'replay', ...args);
  expect(out).toBe('');
  expect(`${error?.message} [${error?.code}]`).toContain(message);
});

test('refuses a file that is not a journal and leaves it unchanged', async () => {
  const foreign = join(folder, 'letter.txt');
  writeFileSync(foreign, 'Dear Ada,\n');
  const { code, stderr } = await legion('replay', foreign);
  expect(code).toBe(1);
  expect(stderr).toContain('[journal.foreign]');
  expect(readFileSync(foreign, 'utf8')).toBe('Dear Ada,\n');
});

test('treats a missing journal as a usage error', async () => {
  const { code, stderr } = await legion('replay', join(folder, 'no.db'));
  expect(code).toBe(2);
  expect(stderr).toContain('[journal.missing]');
});
