import { expect, test } from 'vitest';
import { describeEvent } from '../../../src/daemon/present/event.ts';

test.each([
  [1, 0, 0, '1 turn'],
  [2, 1_200, 0, '2 turns, 1200 tokens'],
  [2, 1_200, 0.5, '2 turns, 1200 tokens, $0.50'],
])(
  'a spending event mentions only the units that the agent reports: %s turns, %s tokens, %s USD',
  (turns, tokens, usd, words) => {
    const said = describeEvent({
      ...({ type: 'attempt.spent', issue: 'A-1', mode: 'plan', attempt: 1, turns, tokens, usd } as const),
      seq: 1,
      at: 1,
      epoch: 1,
    });
    expect(said).toContain(`has used ${words} so far`);
  },
);
