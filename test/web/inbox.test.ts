/** Tests the data that the inbox extracts from its items. */
import { expect, test } from 'vitest';
import { groupByKind, toItemKey } from '../../web/src/pages/inbox/groups.ts';
import { extractQuestion, findAskingWorker, isAnswerable } from '../../web/src/pages/inbox/question.ts';
import { item } from './support/inbox-facts.ts';

const about = (text: string, next = 'legion answer A-1 "…"') =>
  item('question', 'A-1', 'T', { text, since: 1, question: 1, next });

test('a question is shown without its prefix, such as `plan asks:`', () => {
  const asked = { ...about('plan asks: Which?\nAnd why: now?'), mode: 'plan' as const };
  expect(extractQuestion(asked)).toBe('Which?\nAnd why: now?');
});

test('the text of a question is not shortened if it does not start with the prefix of the worker that asks', () => {
  for (const text of ['nobody asks: Which?', 'Which? plan asks: no', 'test asks: x']) {
    expect(extractQuestion({ ...about(text), mode: 'plan' })).toBe(text);
    expect(extractQuestion(about(text))).toBe(text);
  }
});

test('the worker of an item has the issue and the mode of the item; an item without an issue or a mode has no worker', () => {
  const lost = { ...about(''), mode: 'test' as const };
  expect(findAskingWorker(lost)).toEqual({ id: 'a-1-test', mode: 'test' });
  expect(findAskingWorker(about(''))).toBeUndefined();
  expect(findAskingWorker({ ...lost, issue: null })).toBeUndefined();
});

test('an escalation has an answer box only if its command is `legion answer`', () => {
  expect(isAnswerable(about(''))).toBe(true);
  expect(isAnswerable(about('', 'legion explain A-1'))).toBe(false);
});

test('groups have a fixed order, however old their items are, and each lists its oldest item first', () => {
  const paused = item('paused', 'B-1', 'P', { text: '', since: 1, next: '' });
  const [young, old] = [about('young'), { ...about('old'), since: 0, question: 2 }];
  const groups = groupByKind([paused, young, old]);
  expect(groups.map(({ kind, items }) => [kind, items.map(({ text }) => text)])).toEqual([
    ['question', ['old', 'young']],
    ['paused', ['']],
  ]);
});

test('two questions about one issue have different item keys; a question keeps its key if its text or time changes', () => {
  const [first, second] = [about('x'), { ...about('x'), question: 2 }];
  expect(toItemKey(first)).not.toBe(toItemKey(second));
  expect(toItemKey({ ...first, text: 'y', since: 99 })).toBe(toItemKey(first));
});

test('a request for clarification keeps its item key if its time changes, but two messages to one worker have different keys', () => {
  const unclear = item('clarification', 'A-1', 'T', { text: '', since: 1, next: 'legion issue show A-1' });
  expect(toItemKey({ ...unclear, since: 99 })).toBe(toItemKey(unclear));
  const message = item('message', 'A-1', 'T', {
    text: '',
    since: 1,
    next: 'legion prompt A-1 --mode plan "…"',
  });
  expect(toItemKey({ ...message, since: 2 })).not.toBe(toItemKey(message));
});
