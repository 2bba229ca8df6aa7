/** Tests which cards a filter shows. */
import { expect, test } from 'vitest';
import {
  countLabels,
  countOnly,
  isFiltering,
  matchCard,
  readFilter,
} from '../../web/src/pages/board/filter.ts';
import { card, worker } from './support/facts.ts';

const filter = (query: string) => readFilter(new URLSearchParams(query));

test('a search matches a card only if every word occurs somewhere on the card, ignoring case', () => {
  const squeak = card('A-7', 'A door that Squeaks', { labels: ['noise'] });
  expect(matchCard(squeak, filter('q=squeaks+DOOR'))).toBe(true);
  expect(matchCard(squeak, filter('q=a-7+noise'))).toBe(true);
  expect(matchCard(squeak, filter('q=door+window'))).toBe(false);
});

test('a label filter, a mode filter and a quick filter (`needs-me`, `blocked` or `working`) can be combined', () => {
  const busy = card('A-1', 'x', {
    labels: ['bug'],
    worker: worker('test'),
    needsYou: true,
    blockedBy: ['A-2'],
  });
  expect(matchCard(busy, filter('label=bug&mode=test&only=needs-me'))).toBe(true);
  expect(matchCard(busy, filter('label=bug&mode=plan'))).toBe(false);
  expect(matchCard(busy, filter('only=blocked'))).toBe(true);
  expect(
    matchCard({ ...busy, worker: worker('test', { state: 'waiting-user' }) }, filter('only=working')),
  ).toBe(false);
});

test('unknown filter values in the address are ignored', () => {
  expect(isFiltering(filter('mode=cook&only=everything&q=+'))).toBe(false);
});

test('counts the matches of each quick filter, and lists the most used labels first', () => {
  const cards = [
    card('A-1', 'x', { labels: ['b', 'a'], needsYou: true }),
    card('A-2', 'y', { labels: ['b'], worker: worker('plan') }),
  ];
  expect(countOnly(cards)).toEqual({ 'needs-me': 1, working: 1, blocked: 0 });
  expect(countLabels(cards)).toEqual([
    { label: 'b', count: 2 },
    { label: 'a', count: 1 },
  ]);
});
