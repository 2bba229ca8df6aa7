import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ThreadRecord } from '../../../src/agents/codex/steps.ts';
import { newScene } from './order.ts';

test('reports each token of a thread exactly once, even if several processes run the thread', () => {
  const { folder } = newScene().order;
  const record = new ThreadRecord(folder);
  record.recordThread('a', 'rules');
  expect(record.recordUsage({ in: 100, out: 10 })).toEqual({ in: 100, out: 10 });
  expect(record.recordUsage({ in: 250, out: 10 })).toEqual({ in: 150, out: 0 });
  const next = new ThreadRecord(folder);
  next.recordThread('a', 'other rules');
  expect(next.recordUsage({ in: 300, out: 30 })).toEqual({ in: 50, out: 20 });
  // The record keeps the rules that the thread started with.
  expect(next.findRules('a')).toBe('rules');
});

test('counts from zero for a new thread, and for a thread whose reported usage dropped', () => {
  const record = new ThreadRecord(newScene().order.folder);
  record.recordThread('a', 'rules');
  record.recordUsage({ in: 100, out: 10 });
  record.recordThread('b', 'new rules');
  expect(record.findRules('a')).toBeUndefined();
  expect(record.recordUsage({ in: 70, out: 20 })).toEqual({ in: 70, out: 20 });
  expect(record.recordUsage({ in: 40, out: 30 })).toEqual({ in: 40, out: 10 });
});

test('starts a new record if the existing one is unreadable', () => {
  const { folder } = newScene().order;
  writeFileSync(join(folder, 'thread.json'), '{"thread":');
  const record = new ThreadRecord(folder);
  expect(record.findRules('a')).toBeUndefined();
  record.recordThread('a', 'rules');
  expect(record.recordUsage({ in: 1, out: 1 })).toEqual({ in: 1, out: 1 });
});
