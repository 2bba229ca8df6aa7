/** Tests the formatting of questions for people. */
import { expect, test } from 'vitest';
import { formatQuestion } from '../../../src/agents/opencode/progress.ts';

test('a question includes its options and is truncated to the accepted length', () => {
  const options = [{ label: 'red', description: 'as blood' }, { label: 'blue' }];
  const questions = [
    { question: 'Which?', options },
    { question: 'And then?', options: [] },
  ];
  expect(formatQuestion({ id: 'q', questions })).toBe('Which?\n- red: as blood\n- blue\n\nAnd then?');
  const long = formatQuestion({ id: 'q', questions: [{ question: 'x'.repeat(50_000), options: [] }] });
  expect(long).toHaveLength(10_000);
});
