import { describe, expect, test } from 'vitest';
import { type Command, commandSchema, recordedCommandSchema } from '../../../src/core/model/command.ts';
import { decode } from '../../../src/core/model/decode.ts';

const issue = 'ENG-21';
const worker = { issue, mode: 'test', attempt: 1 } as const;

/** One valid command of every kind, with a change that makes it invalid and the expected error. */
const COMMANDS: {
  readonly [K in Command['kind']]: [Omit<Extract<Command, { kind: K }>, 'kind'>, object, string];
} = {
  write_issue: [
    { issue, moveTo: 'In Progress', add: ['worker-active'], remove: [], covers: 0 },
    { moveTo: 'in progress' },
    'moveTo: expected one of',
  ],
  spawn: [{ ...worker, version: 0, purpose: 'start' }, { purpose: 'fun' }, 'purpose: expected one of'],
  comment: [{ issue, key: 'k', text: 'hello' }, { text: 1 }, 'text: expected string, got number 1'],
  put_comment: [
    { issue, key: 'k', revision: 'open', text: 'hello' },
    { revision: 1 },
    'revision: expected string, got number 1',
  ],
  escalate: [{ issue, key: 'k', text: 'help' }, { key: null }, 'key: expected string, got null'],
  reread_forge: [{ issue }, { issue: '-rf' }, 'issue: is not a valid issue id, got "-rf"'],
  run_quality_gate: [{ issue, sha: 'abc' }, { sha: undefined }, 'sha: is missing'],
  add_closing_keyword: [
    { issue, line: 'Closes #21' },
    { line: [] },
    'line: expected string, got array of length 0',
  ],
  stop: [{ ...worker, evidence: [] }, { attempt: -1 }, 'attempt: must be at least 0, got number -1'],
  clean_workspace: [{ issue }, { issue: 'a/../b' }, 'issue: is not a valid issue id, got "a/../b"'],
};

describe.each(Object.entries(COMMANDS))('the command %s', (kind, [good, spoilt, message]) => {
  test('is decoded unchanged', () => {
    expect(decode(commandSchema, { kind, ...good }, 'command')).toEqual({
      ok: true,
      value: { kind, ...good },
    });
  });

  test('is rejected with an error that contains the name of the wrong field', () => {
    const decoded = decode(commandSchema, { kind, ...good, ...spoilt }, 'command');
    expect(decoded.ok ? '' : decoded.fault.message).toContain(`command.${message}`);
  });
});

test('a command that only earlier versions used is decoded as a command that changes nothing', () => {
  const probe = { kind: 'probe', ...worker, how: 'ask' };
  expect(decode(recordedCommandSchema, probe, 'command')).toEqual({
    ok: true,
    value: { kind: 'reread_forge', issue },
  });
  expect(decode(commandSchema, probe, 'command').ok).toBe(false);
});

test('a write_issue command without a move is valid', () => {
  expect(
    commandSchema.safeParse({ kind: 'write_issue', issue, add: [], remove: ['rollback'], covers: 0 }).success,
  ).toBe(true);
});

test('a spawn command accepts exactly these purposes', () => {
  const purposes = [
    'start',
    'retro',
    'ci_failure',
    'ci_timeout',
    'test_failure',
    'review_changes',
    'conflict',
    'sent_back',
    'quality_gate',
    'plan_review',
    'plan_changes',
    'rejected',
    'feedback',
    'operator',
    'missing_pr',
    'missing_review',
    'crash',
  ];
  const spawn = (purpose: string) =>
    decode(commandSchema, { kind: 'spawn', ...worker, version: 1, purpose }, 'command');
  for (const purpose of purposes) expect(spawn(purpose).ok).toBe(true);
  const list = purposes.map((purpose) => `"${purpose}"`).join(', ');
  expect(spawn('fun')).toMatchObject({
    fault: { message: `command.purpose: expected one of ${list}, got "fun"` },
  });
});
