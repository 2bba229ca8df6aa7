import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Result } from '../../../src/core/model/fault.ts';
import {
  computeSessionId,
  computeSessionIdIn,
  computeSessionNamespace,
  issueIdSchema,
  readIssueId,
  readLegionId,
  readWorkerId,
  toWorkerId,
} from '../../../src/core/model/ids.ts';
import { MODES } from '../../../src/core/model/mode.ts';
import { assertProperty } from '../../support/property.ts';

const TEAM = '7b1c9c1e-2f5a-4d0e-9a54-0d9a4f6a2b11';
const LONGEST = 'a'.repeat(160);

const plainId = fc
  .stringMatching(/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,20}[A-Za-z0-9])?$/)
  .filter((id) => !id.includes('..') && !id.endsWith('.lock'));

describe('an issue id', () => {
  test.each(['ENG-21', 'acme-widgets-17', 'a', '7', 'a.b_c-d', 'a.lockb', 'nul', 'HEAD', LONGEST])(
    '%j is accepted',
    (id) => {
      expect(readIssueId(id)).toEqual({ ok: true, value: id });
      expect(issueIdSchema.safeParse(id).success).toBe(true);
    },
  );

  const FORM = 'contains an invalid character, or does not start with a letter or digit';
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
    ['a.', 'issue id "a." ends in "." or ".lock", which branch names do not allow'],
    ['a.lock', 'issue id "a.lock" ends in "." or ".lock", which branch names do not allow'],
    [`${LONGEST}a`, `issue id "${'a'.repeat(40)}…" is 161 characters long; the maximum is 160`],
    ['x'.repeat(300), `issue id "${'x'.repeat(40)}…" is 300 characters long; the maximum is 160`],
  ])('%j is rejected', (id, message) => {
    expect(faultOf(readIssueId(id))).toEqual(['id.invalid', message]);
    expect(issueIdSchema.safeParse(id).success).toBe(false);
  });

  test('is never shown in full or unescaped when it is rejected', () => {
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
    '%j is accepted',
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
    ['../2', 'contains an invalid character, or does not start with a letter or digit'],
    ['a..b/2', 'contains ".."'],
  ])('%j is rejected: it %s', (id, complaint) => {
    expect(faultOf(readLegionId(id))).toEqual(['id.invalid', `legion id ${JSON.stringify(id)} ${complaint}`]);
  });
});

describe('a worker id', () => {
  test.each([
    ['ENG-21', 'implement', 'eng-21-implement'],
    ['acme-widgets-17', 'plan', 'acme-widgets-17-plan'],
    ['test', 'test', 'test-test'],
  ] as const)('for %s and %s is %s', (issue, mode, id) => {
    expect(toWorkerId(issue, mode)).toBe(id);
  });

  test('is parsed into its mode and its lower-case issue, for any issue', () => {
    assertProperty(
      fc.property(plainId, fc.constantFrom(...MODES), (issue, mode) => {
        expect(readWorkerId(toWorkerId(issue, mode))).toEqual({
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
    ['..-implement', 'issue id ".." contains an invalid character, or does not start with a letter or digit'],
    [
      'a/b-implement',
      'issue id "a/b" contains an invalid character, or does not start with a letter or digit',
    ],
  ])('%j is rejected', (id, message) => {
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
  ] as const)('in legion %s for %s:%s version %i is %s', (legion, issue, mode, version, id) => {
    expect(computeSessionId(legion, issue, mode, version)).toBe(id);
    expect(computeSessionIdIn(computeSessionNamespace(legion), issue, mode, version)).toBe(id);
  });

  test('without a version equals the id of version 0', () => {
    expect(computeSessionId('demo', 'DEMO-1', 'test')).toBe(computeSessionId('demo', 'DEMO-1', 'test', 0));
  });

  test('is the same for every spelling of the team’s UUID', () => {
    expect(computeSessionId(TEAM.toUpperCase(), 'ENG-21', 'implement')).toBe(
      computeSessionId(TEAM, 'ENG-21', 'implement'),
    );
  });

  test('differs by legion, issue, mode and version', () => {
    const ids = ['demo', 'demo2', 'demo/2', TEAM].flatMap((legion) =>
      ['X-1', 'X-2', 'x-1'].flatMap((issue) =>
        MODES.flatMap((mode) => [0, 1, 2].map((version) => computeSessionId(legion, issue, mode, version))),
      ),
    );
    expect(new Set(ids).size).toBe(4 * 3 * MODES.length * 3);
  });
});

function faultOf(result: Result<unknown>): [string, string] | undefined {
  return result.ok ? undefined : [result.fault.code, result.fault.message];
}
