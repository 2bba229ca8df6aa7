import { describe, expect, test } from 'vitest';
import { compareColumns, withMissingColumns } from '../../../src/cli/columns.ts';
import { STATUSES } from '../../../src/core/model/status.ts';

describe('board columns', () => {
  test('need no configuration if they have the same names as the statuses', () => {
    expect(compareColumns(STATUSES, {})).toMatchObject({
      missing: [],
      names: {},
      unconfigured: {},
      others: [],
    });
  });

  test('whose names differ from the statuses only in case, or are known aliases, are written to the configuration, although Legion would recognise them anyway', () => {
    const { names, unconfigured: unsaid, missing } = compareColumns(['todo', 'In Review'], {});
    expect(names).toEqual({ Todo: ['todo'], 'Needs Review': ['In Review'] });
    expect(unsaid).toEqual({});
    expect(missing).toEqual(['Triage', 'Icebox', 'Backlog', 'In Progress', 'Testing', 'Retro', 'Done']);
  });

  test('whose names differ from the statuses only in punctuation are used only if they are configured', () => {
    const { names, unconfigured: unsaid, others } = compareColumns(['To do', 'in_progress', 'Parking'], {});
    expect(unsaid).toEqual({ Todo: ['To do'], 'In Progress': ['in_progress'] });
    expect(names).toEqual(unsaid);
    expect(others).toEqual(['Parking']);
  });

  test('keep their order when missing columns are inserted, and each missing column is inserted at its position in the pipeline', () => {
    const options = ['Ideas', 'Todo', 'Doing', 'Done'];
    const columns = compareColumns(options, { 'In Progress': ['Doing'] });
    expect(withMissingColumns(options, columns)).toEqual([
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
    expect(withMissingColumns([], compareColumns([], {}))).toEqual(STATUSES);
  });
});
