import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/core/model/fault.ts';
import {
  issueIdSchema,
  readIssueId,
  readLegionId,
  readWorkerId,
  sessionId,
  sessionIdIn,
  sessionNamespace,
  workerId,
} from '../../../src/core/model/ids.ts';
import { MODES } from '../../../src/domain/mode.ts';
import { assertProperty } from '../../support/property.ts';

const TEAM = '7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11';
const LONGEST = 'a'.repeat(160);

const plainId = fc
  .stringMatching(/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,20}[A-Za-z0-9])?$/)
  .filter((id) => !id.includes('..') && !id.endsWith('.lock'));

describe('an issue id', () => {
  test.each(['ENG-21', 'acme-widgets-17', 'a', '7', 'a.b_c-d', 'a.lockb', 'nul', 'HEAD', LONGEST])(
    '%j is taken as it is',
    (id) => {
      expect(readIssueId(id)).toEqual({ ok: true, value: id });
      expect(issueIdSchema.safeParse(id).success).toBe(true);
    },
  );

  const FORM = 'contains a character an id may not contain, or begins with a mark';
  test.each([
    ['', 'issue id "" is empty'],
    ['..', `issue id ".." ${FORM}`],
    ['.', `issue id "." ${FORM}`],
    ['-rf', `issue id "-rf" ${FORM}`],
    ['a/../b', `issue id "a/../b" ${FORM}`],
    ['a\\b', `issue id "a\\\\b" ${FORM}`],
    ['a b', `issue id "a b" ${FORM}`],
    [' a', `issue id " a" ${FORM}`],
    ['a\0', `issue id "a\\u0000" ${FORM}`],
    ['a\n', `issue id "a\\n" ${FORM}`],
    ['a\nb', `issue id "a\\nb" ${FORM}`],
    ['a\u001b[31m', `issue id "a\\u001b[31m" ${FORM}`],
    ['eng\u202e12-gne', `issue id "eng\\u202e12-gne" ${FORM}`],
    ['\u0415NG-21', `issue id "\\u0415NG-21" ${FORM}`],
    ['ENG-２１', `issue id "ENG-\\uff12\\uff11" ${FORM}`],
    ['\ud800', `issue id "\\ud800" ${FORM}`],
    ['$(id)', `issue id "$(id)" ${FORM}`],
    ['a..b', 'issue id "a..b" contains ".."'],
    ['a.', 'issue id "a." ends in "." or ".lock", which no branch may'],
    ['a.lock', 'issue id "a.lock" ends in "." or ".lock", which no branch may'],
    [`${LONGEST}a`, `issue id "${'a'.repeat(40)}…" is 161 characters long, at most 160 are allowed`],
    ['x'.repeat(300), `issue id "${'x'.repeat(40)}…" is 300 characters long, at most 160 are allowed`],
  ])('%j is refused', (id, message) => {
    expect(faultOf(readIssueId(id))).toEqual(['id.invalid', message]);
    expect(issueIdSchema.safeParse(id).success).toBe(false);
  });

  test('that is refused is never shown whole or unescaped', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const read = readIssueId(text);
        if (!read.ok) expect(read.fault.message).toMatch(/^[\x20-\x7e…]{1,400}$/);
      }),
    );
  });
});

describe('a legion id', () => {
  test.each([TEAM, TEAM.toUpperCase(), 'acme/2', 'acme/1234567890', 'demo', 'my.legion_1'])(
    '%j is taken as it is',
    (id) => {
      expect(readLegionId(id)).toEqual({ ok: true, value: id });
    },
  );

  test.each([
    ['', 'is empty'],
    ['/2', 'is empty'],
    ['acme/', 'has no project number after "/"'],
    ['acme/0', 'has no project number after "/"'],
    ['acme/02', 'has no project number after "/"'],
    ['acme/-1', 'has no project number after "/"'],
    ['acme/two', 'has no project number after "/"'],
    ['acme/2\n', 'has no project number after "/"'],
    ['acme/99999999999', 'has no project number after "/"'],
    ['a/b/c', 'has more than one "/"'],
    ['acme//2', 'has more than one "/"'],
    ['../2', 'contains a character an id may not contain, or begins with a mark'],
    ['a..b/2', 'contains ".."'],
  ])('%j is refused: it %s', (id, complaint) => {
    expect(faultOf(readLegionId(id))).toEqual(['id.invalid', `legion id ${JSON.stringify(id)} ${complaint}`]);
  });
});

describe('a worker id', () => {
  test.each([
    ['ENG-21', 'implement', 'eng-21-implement'],
    ['acme-widgets-17', 'plan', 'acme-widgets-17-plan'],
    ['test', 'test', 'test-test'],
  ] as const)('of %s and %s is %s', (issue, mode, id) => {
    expect(workerId(issue, mode)).toBe(id);
  });

  test('is read back to its mode and its issue in lower case, whatever the issue', () => {
    assertProperty(
      fc.property(plainId, fc.constantFrom(...MODES), (issue, mode) => {
        expect(readWorkerId(workerId(issue, mode))).toEqual({
          ok: true,
          value: { issue: issue.toLowerCase(), mode },
        });
      }),
    );
  });

  test.each([
    ['', 'worker id "" does not end in "-" and a mode'],
    ['eng-21', 'worker id "eng-21" does not end in "-" and a mode'],
    ['eng-21-retro', 'worker id "eng-21-retro" does not end in "-" and a mode'],
    ['eng-21-finish', 'worker id "eng-21-finish" does not end in "-" and a mode'],
    ['eng-21-constructor', 'worker id "eng-21-constructor" does not end in "-" and a mode'],
    ['eng-21-', 'worker id "eng-21-" does not end in "-" and a mode'],
    ['implement', 'issue id "" is empty'],
    ['-implement', 'issue id "" is empty'],
    ['..-implement', 'issue id ".." contains a character an id may not contain, or begins with a mark'],
    ['a/b-implement', 'issue id "a/b" contains a character an id may not contain, or begins with a mark'],
  ])('%j is refused', (id, message) => {
    expect(faultOf(readWorkerId(id))).toEqual(['id.invalid', message]);
  });
});

describe('a session id', () => {
  test.each([
    [TEAM, 'ENG-21', 'implement', 0, '924320b3-c96b-510f-b8c4-43e1040229e8'],
    [TEAM, 'ENG-21', 'review', 0, '271853af-b627-54c8-b44e-b7a0daa38914'],
    [TEAM, 'ENG-22', 'implement', 0, '6f26b267-051e-5775-830c-378f559d5300'],
    [TEAM, 'LEG-5', 'architect', 0, 'cfe38784-b4ce-5cba-a084-4212532526b4'],
    [TEAM, 'ENG-21', 'implement', 2, '0ed8c274-82a8-530e-8e95-193827919224'],
    ['acme/2', 'acme-widgets-17', 'plan', 0, 'b70ebfc2-7033-552a-a527-1b8e4eb7b29e'],
    ['demo', 'DEMO-1', 'test', 0, '9571ad41-527e-5879-a87c-c08faa19a692'],
  ] as const)('in legion %s of %s:%s version %i is %s', (legion, issue, mode, version, id) => {
    expect(sessionId(legion, issue, mode, version)).toBe(id);
    expect(sessionIdIn(sessionNamespace(legion), issue, mode, version)).toBe(id);
  });

  test('of no version is that of version 0', () => {
    expect(sessionId('demo', 'DEMO-1', 'test')).toBe(sessionId('demo', 'DEMO-1', 'test', 0));
  });

  test('is the same however the team’s UUID is written', () => {
    expect(sessionId(TEAM.toUpperCase(), 'ENG-21', 'implement')).toBe(sessionId(TEAM, 'ENG-21', 'implement'));
  });

  test('differs by legion, issue, mode and version', () => {
    const ids = ['demo', 'demo2', 'demo/2', TEAM].flatMap((legion) =>
      ['X-1', 'X-2', 'x-1'].flatMap((issue) =>
        MODES.flatMap((mode) => [0, 1, 2].map((version) => sessionId(legion, issue, mode, version))),
      ),
    );
    expect(new Set(ids).size).toBe(4 * 3 * MODES.length * 3);
  });
});

function faultOf(result: Result<unknown>): [string, string] | undefined {
  return result.ok ? undefined : [result.fault.code, result.fault.message];
}
