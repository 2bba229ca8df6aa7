import { expect, test } from 'vitest';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { resolveChildrenStatus } from '../../../src/core/pipeline/situation.ts';

test.each<[string, readonly (ObservedStatus | undefined)[], 'none' | 'open' | 'all_done']>([
  ['an issue that was not split has no sub-issues', [], 'none'],
  ['a sub-issue in progress is open', ['In Progress'], 'open'],
  ['sub-issues are open if only some of them are done', ['Done', 'Retro'], 'open'],
  ['sub-issues are all done if each of them is in Done', ['Done', 'Done'], 'all_done'],
  ['a cancelled sub-issue counts as done', ['Done', 'terminal'], 'all_done'],
  ['a sub-issue that is not on the board is open', ['Done', undefined], 'open'],
  ['a sub-issue in an unknown column is open', ['Done', 'unknown'], 'open'],
])('%s', (_, statuses, amount) => {
  const children = statuses.map((_status, index) => `X-${index}`);
  expect(resolveChildrenStatus(children, (child) => statuses[children.indexOf(child)])).toBe(amount);
});
