import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ambiguousColumns,
  type ColumnNames,
  columnFor,
  readStatus,
  STATUSES,
} from '../../../src/core/model/status.ts';
import { assertProperty } from '../../support/property.ts';

describe('reading a column name', () => {
  test.each(STATUSES)('%s is read in any case and with space around it', (status) => {
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
  ])('the built-in alias %j means %s', (column, status) => {
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
  ])('%j is unknown', (column) => {
    expect(readStatus(column)).toBe('unknown');
  });

  test('any text at all is read without throwing', () => {
    assertProperty(
      fc.property(fc.string({ unit: 'binary' }), (column) => {
        expect([...STATUSES, 'terminal', 'unknown']).toContain(readStatus(column));
      }),
    );
  });

  test('a very long name is unknown', () => {
    expect(readStatus('Todo '.repeat(200_000))).toBe('unknown');
  });
});

describe('reading with the operator’s own names', () => {
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
  ])('%j means %s', (column, status) => {
    expect(readStatus(column, names)).toBe(status);
  });

  test('the operator’s word goes before a built-in alias', () => {
    expect(readStatus('In Review', names)).toBe('Todo');
    expect(readStatus('Closed', names)).toBe('Done');
  });

  test('the operator’s word goes before another status’s own name', () => {
    expect(readStatus('Backlog', { Todo: ['Backlog'] })).toBe('Todo');
  });
});

describe('choosing the column to write', () => {
  test.each([
    ['the board’s exact spelling is written', 'In Progress', ['todo', ' in PROGRESS '], {}, ' in PROGRESS '],
    [
      'an alias serves where the status’s own name is missing',
      'Needs Review',
      ['In Review'],
      {},
      'In Review',
    ],
    ['the own name goes before an alias, wherever it stands', 'Todo', ['Today', 'TODO'], {}, 'TODO'],
    ['the operator’s name goes before the own name', 'Todo', ['Todo', 'Next'], { Todo: ['next'] }, 'Next'],
    ['the first of the operator’s names goes first', 'Todo', ['B', 'A'], { Todo: ['a', 'b'] }, 'A'],
    ['a name the board lacks is passed over', 'Todo', ['B'], { Todo: ['a', 'b'] }, 'B'],
    ['the own name serves where no mapped name is there', 'Todo', ['Todo'], { Todo: ['a'] }, 'Todo'],
    [
      'a column given to another status is not used',
      'Backlog',
      ['Backlog'],
      { Todo: ['Backlog'] },
      undefined,
    ],
    ['a board without such a column has none', 'Retro', ['Todo', 'Done'], {}, undefined],
    ['a terminal column is not Done', 'Done', ['Closed', 'Canceled'], {}, undefined],
    ['an empty board has none', 'Done', [], {}, undefined],
  ] as const)('%s', (_, status, options, names, written) => {
    expect(columnFor(status, options, names)).toBe(written);
  });

  test('what is written for a status is read back as that status, on any board and with any clear mapping', () => {
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
        fc.pre(ambiguousColumns(names).length === 0);
        const written = columnFor(status, options, names);
        if (written === undefined)
          expect(options.map((each) => readStatus(each, names))).not.toContain(status);
        else expect([options.includes(written), readStatus(written, names)]).toEqual([true, status]);
      }),
    );
  });
});

describe('a mapping that cannot be read back', () => {
  test.each([
    ['one column for two statuses is named', { Todo: ['Next'], Backlog: ['next '] }, ['Next']],
    ['one column twice for the same status is no clash', { Todo: ['Next', 'NEXT'] }, []],
    ['a built-in name for another status is no clash', { Todo: ['In Review'] }, []],
    ['three claims are two clashes', { Icebox: ['x'], Backlog: ['X'], Todo: ['x '] }, ['X', 'x ']],
    ['nothing mapped clashes with nothing', {}, []],
  ] as const)('%s', (_, names, clashes) => {
    expect(ambiguousColumns(names)).toEqual(clashes);
  });
});
