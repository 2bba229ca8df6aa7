import { describe, expect, test } from 'vitest';
import { compareColumns, withMissing } from '../../../src/cli/columns.ts';
import { STATUSES } from '../../../src/core/model/status.ts';

describe('the columns of a board', () => {
  test('that are called as the statuses need no names', () => {
    expect(compareColumns(STATUSES, {})).toMatchObject({ missing: [], names: {}, unsaid: {}, others: [] });
  });

  test('with another case or a known alias are named, though Legion would know them', () => {
    const { names, unsaid, missing } = compareColumns(['todo', 'In Review'], {});
    expect(names).toEqual({ Todo: ['todo'], 'Needs Review': ['In Review'] });
    expect(unsaid).toEqual({});
    expect(missing).toEqual(['Triage', 'Icebox', 'Backlog', 'In Progress', 'Testing', 'Retro', 'Done']);
  });

  test('that are alike but for marks count only with their names', () => {
    const { names, unsaid, others } = compareColumns(['To do', 'in_progress', 'Parking'], {});
    expect(unsaid).toEqual({ Todo: ['To do'], 'In Progress': ['in_progress'] });
    expect(names).toEqual(unsaid);
    expect(others).toEqual(['Parking']);
  });

  test('get the missing ones where the pipeline has them, and stay in their own order', () => {
    const options = ['Ideas', 'Todo', 'Doing', 'Done'];
    const columns = compareColumns(options, { 'In Progress': ['Doing'] });
    expect(withMissing(options, columns)).toEqual([
      ...[
        'Triage',
        'Icebox',
        'Backlog',
        'Ideas',
        'Todo',
        'Doing',
        'Testing',
        'Needs Review',
        'Retro',
        'Done',
      ],
    ]);
    expect(withMissing([], compareColumns([], {}))).toEqual(STATUSES);
  });
});
