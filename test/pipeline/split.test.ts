import { expect, test } from 'vitest';
import type { SeenStatus } from '../../src/core/model/status.ts';
import { childrenOf } from '../../src/pipeline/split.ts';

test.each<[string, readonly (SeenStatus | undefined)[], 'none' | 'open' | 'all_done']>([
  ['an issue that was not split has none', [], 'none'],
  ['one that is at work', ['In Progress'], 'open'],
  ['some that are done', ['Done', 'Retro'], 'open'],
  ['all that are done', ['Done', 'Done'], 'all_done'],
  ['one that was cancelled will not be waited for', ['Done', 'terminal'], 'all_done'],
  ['one that is not on the board is not taken for done', ['Done', undefined], 'open'],
  ['one in a column nobody knows is not taken for done', ['Done', 'unknown'], 'open'],
])('%s', (_, statuses, amount) => {
  const children = statuses.map((_status, index) => `X-${index}`);
  expect(childrenOf(children, (child) => statuses[children.indexOf(child)])).toBe(amount);
});
