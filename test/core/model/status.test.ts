import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODES } from '../../../src/core/model/mode.ts';
import {
  type ColumnNames,
  findAmbiguousColumns,
  findColumn,
  readStatus,
  resolvePhase,
  STATUSES,
} from '../../../src/core/model/status.ts';
import { assertProperty } from '../../support/property.ts';

describe('readStatus', () => {
  test.each(STATUSES)('reads %s in any case and with surrounding space', (status) => {
    for (const written of [
      status,
      status.toUpperCase(),
      status.toLowerCase(),
      ` \t${status}\n`,
      `\ufeff${status}`,
    ]) {
      expect(readStatus(written)).toBe(status);
    }
  });

  test.each([
    ['In Review', 'Needs Review'],
    ['Today', 'Todo'],
    ['Closed', 'terminal'],
    ['Canceled', 'terminal'],
    ['Cancelled', 'terminal'],
    ['Duplicate', 'terminal'],
    [' iN rEVIEW ', 'Needs Review'],
  ])('reads the built-in alias %j as %s', (column, status) => {
    expect(readStatus(column)).toBe(status);
  });

  test.each([
    'Shipping',
    '',
    ' ',
    'In  Progress',
    'InProgress',
    'To do',
    'terminal',
    'unknown',
    'constructor',
    '__proto__',
    'toString',
    'Tod\u043e',
    'Done\0',
    'Done\u200b',
    '\u202eenoD',
    '\ud800',
  ])('reads %j as unknown', (column) => {
    expect(readStatus(column)).toBe('unknown');
  });

  test('reads any text without throwing', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'binary' }), (column) => {
        expect([...STATUSES, 'terminal', 'unknown']).toContain(readStatus(column));
      }),
    );
  });

  test('reads a very long name as unknown', () => {
    expect(readStatus('Todo '.repeat(200_000))).toBe('unknown');
  });
});

describe('readStatus with column names configured by the operator', () => {
  const names: ColumnNames = {
    'In Progress': ['Doing', 'Working on it'],
    Todo: ['In Review'],
    Done: ['Closed'],
  };

  test.each([
    ['doing', 'In Progress'],
    [' WORKING ON IT ', 'In Progress'],
    ['In Progress', 'In Progress'],
    ['Needs Review', 'Needs Review'],
  ])('reads %j as %s', (column, status) => {
    expect(readStatus(column, names)).toBe(status);
  });

  test('prefers the operator’s column name to a built-in alias', () => {
    expect(readStatus('In Review', names)).toBe('Todo');
    expect(readStatus('Closed', names)).toBe('Done');
  });

  test('prefers the operator’s column name to the name of another status', () => {
    expect(readStatus('Backlog', { Todo: ['Backlog'] })).toBe('Todo');
  });
});

describe('findColumn', () => {
  test.each([
    ['returns the board’s exact spelling', 'In Progress', ['todo', ' in PROGRESS '], {}, ' in PROGRESS '],
    [
      'falls back to an alias if the status’s own name is missing',
      'Needs Review',
      ['In Review'],
      {},
      'In Review',
    ],
    ['prefers the status’s own name to an alias in any order', 'Todo', ['Today', 'TODO'], {}, 'TODO'],
    [
      'prefers the operator’s name to the status’s own name',
      'Todo',
      ['Todo', 'Next'],
      { Todo: ['next'] },
      'Next',
    ],
    ['prefers the first of the operator’s names', 'Todo', ['B', 'A'], { Todo: ['a', 'b'] }, 'A'],
    ['skips a name that the board lacks', 'Todo', ['B'], { Todo: ['a', 'b'] }, 'B'],
    [
      'falls back to the status’s own name if no mapped name exists',
      'Todo',
      ['Todo'],
      { Todo: ['a'] },
      'Todo',
    ],
    [
      'does not use a column mapped to another status',
      'Backlog',
      ['Backlog'],
      { Todo: ['Backlog'] },
      undefined,
    ],
    ['returns undefined if the board has no such column', 'Retro', ['Todo', 'Done'], {}, undefined],
    ['does not use a terminal column for Done', 'Done', ['Closed', 'Canceled'], {}, undefined],
    ['returns undefined for an empty board', 'Done', [], {}, undefined],
  ] as const)('%s', (_, status, options, names, written) => {
    expect(findColumn(status, options, names)).toBe(written);
  });

  test('returns a column that readStatus reads as the same status, on any board and with any unambiguous mapping', () => {
    const column = fc.constantFrom<string[]>(
      'Todo',
      'TODO ',
      'Today',
      'In Review',
      'Done',
      'Closed',
      'Doing',
      'Next',
      '★',
    );
    const mapping = fc.dictionary(fc.constantFrom(...STATUSES), fc.array(column, { maxLength: 2 }));
    assertProperty(
      fc.property(fc.array(column), mapping, fc.constantFrom(...STATUSES), (options, names, status) => {
        fc.pre(findAmbiguousColumns(names).length === 0);
        const written = findColumn(status, options, names);
        if (written === undefined)
          expect(options.map((each) => readStatus(each, names))).not.toContain(status);
        else expect([options.includes(written), readStatus(written, names)]).toEqual([true, status]);
      }),
    );
  });
});

describe('findAmbiguousColumns', () => {
  test.each([
    ['reports a column mapped to two statuses', { Todo: ['Next'], Backlog: ['next '] }, ['Next']],
    ['allows a column mapped twice to the same status', { Todo: ['Next', 'NEXT'] }, []],
    ['allows a built-in name for another status', { Todo: ['In Review'] }, []],
    [
      'reports two conflicts for a column mapped to three statuses',
      { Icebox: ['x'], Backlog: ['X'], Todo: ['x '] },
      ['X', 'x '],
    ],
    ['reports nothing for an empty mapping', {}, []],
  ] as const)('%s', (_, names, clashes) => {
    expect(findAmbiguousColumns(names)).toEqual(clashes);
  });
});

test("resolvePhase returns the worker's mode, except that an implement worker is in the retro phase if its issue is in Retro", () => {
  for (const mode of MODES) {
    expect(resolvePhase(mode, 'In Progress', {})).toBe(mode);
    expect(resolvePhase(mode, 'Looking back', { Retro: ['Looking back'] })).toBe(
      mode === 'implement' ? 'retro' : mode,
    );
  }
});
