/** What the inbox reads out of its items. */
import { expect, test } from 'vitest';
import { askedBy, isAnswered, workerIn } from '../../web/src/pages/inbox/asks.ts';
import { groupsOf, keyOf } from '../../web/src/pages/inbox/groups.ts';
import { item } from './inbox-facts.ts';

const about = (text: string, next = 'legion answer A-1 "…"') =>
  item('question', 'A-1', 'T', { text, since: 1, question: 1, next });

test('a question is split into who asks and what', () => {
  expect(askedBy(about('plan asks: Which?\nAnd why: now?'))).toEqual({
    mode: 'plan',
    text: 'Which?\nAnd why: now?',
  });
});

test('text that only looks like a question of a worker is left whole', () => {
  for (const text of ['nobody asks: Which?', 'Which? plan asks: no', 'toString asks: x']) {
    expect(askedBy(about(text))).toEqual({ mode: undefined, text });
  }
});

test('the worker of an item is the one its command names', () => {
  const ofStop = about('', 'legion logs A-1 test; legion stop A-1 test if it is lost');
  expect(workerIn(ofStop)).toEqual({ id: 'a-1-test', mode: 'test' });
  expect(workerIn(about('', 'legion prompt A-1 --mode review "…"'))).toEqual({
    id: 'a-1-review',
    mode: 'review',
  });
  expect(workerIn(about('', 'read it: nobody holds this role'))).toBeUndefined();
  expect(workerIn({ ...ofStop, issue: null })).toBeUndefined();
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
