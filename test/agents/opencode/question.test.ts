/** What goes to a person. */
import { expect, test } from 'vitest';
import { questionText } from '../../../src/agents/opencode/question.ts';

test('a question is readable with its options, and never longer than what is taken', () => {
  const options = [{ label: 'red', description: 'as blood' }, { label: 'blue' }];
  const questions = [
    { question: 'Which?', options },
    { question: 'And then?', options: [] },
  ];
  expect(questionText({ id: 'q', questions })).toBe('Which?\n- red: as blood\n- blue\n\nAnd then?');
  const long = questionText({ id: 'q', questions: [{ question: 'x'.repeat(50_000), options: [] }] });
  expect(long).toHaveLength(10_000);
});
