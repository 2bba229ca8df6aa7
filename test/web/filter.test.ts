/** Which cards a filter lets through. */
import { expect, test } from 'vitest';
import { countOnly, fits, isFiltering, labelsOf, readFilter } from '../../web/src/pages/board/filter.ts';
import { card, worker } from './support/facts.ts';

const filter = (query: string) => readFilter(new URLSearchParams(query));

test('every word must be found somewhere on the card, in any case', () => {
  const squeak = card('A-7', 'A door that Squeaks', { labels: ['noise'] });
  expect(fits(squeak, filter('q=squeaks+DOOR'))).toBe(true);
  expect(fits(squeak, filter('q=a-7+noise'))).toBe(true);
  expect(fits(squeak, filter('q=door+window'))).toBe(false);
});

test('label, mode and the three questions narrow down together', () => {
  const busy = card('A-1', 'x', {
    labels: ['bug'],
    worker: worker('test'),
    needsYou: true,
    blockedBy: ['A-2'],
  });
  expect(fits(busy, filter('label=bug&mode=test&only=needs-me'))).toBe(true);
  expect(fits(busy, filter('label=bug&mode=plan'))).toBe(false);
  expect(fits(busy, filter('only=blocked'))).toBe(true);
  expect(fits({ ...busy, worker: worker('test', { state: 'waiting-user' }) }, filter('only=working'))).toBe(
    false,
  );
});

test('words of the address that mean nothing do not filter', () => {
  expect(isFiltering(filter('mode=cook&only=everything&q=+'))).toBe(false);
});

test('counts what each question would show, and every label by its use', () => {
  const cards = [
    card('A-1', 'x', { labels: ['b', 'a'], needsYou: true }),
    card('A-2', 'y', { labels: ['b'], worker: worker('plan') }),
  ];
  expect(countOnly(cards)).toEqual({ 'needs-me': 1, working: 1, blocked: 0 });
  expect(labelsOf(cards)).toEqual([
    { label: 'b', count: 2 },
    { label: 'a', count: 1 },
  ]);
});
