/** What the inbox reads out of its items. */
import { expect, test } from 'vitest';
import { groupsOf, keyOf } from '../../web/src/pages/inbox/groups.ts';
import { isAnswered, questionIn, workerIn } from '../../web/src/pages/inbox/question.ts';
import { item } from './support/inbox-facts.ts';

const about = (text: string, next = 'legion answer A-1 "…"') =>
  item('question', 'A-1', 'T', { text, since: 1, question: 1, next });

test('a question is shown without the words that say who asks', () => {
  const asked = { ...about('plan asks: Which?\nAnd why: now?'), mode: 'plan' as const };
  expect(questionIn(asked)).toBe('Which?\nAnd why: now?');
});

test('text that only looks like a question of a worker is left whole', () => {
  for (const text of ['nobody asks: Which?', 'Which? plan asks: no', 'test asks: x']) {
    expect(questionIn({ ...about(text), mode: 'plan' })).toBe(text);
    expect(questionIn(about(text))).toBe(text);
  }
});

test('the worker of an item is the one of its issue and mode', () => {
  const lost = { ...about(''), mode: 'test' as const };
  expect(workerIn(lost)).toEqual({ id: 'a-1-test', mode: 'test' });
  expect(workerIn(about(''))).toBeUndefined();
  expect(workerIn({ ...lost, issue: null })).toBeUndefined();
});

test('an escalation is answered where its command answers, and looked at elsewhere', () => {
  expect(isAnswered(about(''))).toBe(true);
  expect(isAnswered(about('', 'legion explain A-1'))).toBe(false);
});

test('groups keep their order whatever their ages, and hold the oldest first', () => {
  const paused = item('paused', 'B-1', 'P', { text: '', since: 1, next: '' });
  const [young, old] = [about('young'), { ...about('old'), since: 0, question: 2 }];
  const groups = groupsOf([paused, young, old]);
  expect(groups.map(({ kind, items }) => [kind, items.map(({ text }) => text)])).toEqual([
    ['question', ['old', 'young']],
    ['paused', ['']],
  ]);
});

test('two questions of one issue have keys of their own, which a later answer keeps', () => {
  const [first, second] = [about('x'), { ...about('x'), question: 2 }];
  expect(keyOf(first)).not.toBe(keyOf(second));
  expect(keyOf({ ...first, text: 'y', since: 99 })).toBe(keyOf(first));
});

test('what waits keeps its key when it is decided upon anew, and two messages to one worker do not share one', () => {
  const unclear = item('clarification', 'A-1', 'T', { text: '', since: 1, next: 'legion issue show A-1' });
  expect(keyOf({ ...unclear, since: 99 })).toBe(keyOf(unclear));
  const message = item('message', 'A-1', 'T', {
    text: '',
    since: 1,
    next: 'legion prompt A-1 --mode plan "…"',
  });
  expect(keyOf({ ...message, since: 2 })).not.toBe(keyOf(message));
});
