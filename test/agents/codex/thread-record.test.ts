import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ThreadRecord } from '../../../src/agents/codex/thread-record.ts';
import { newScene } from './order.ts';

test('each use of a thread is told once, through all processes', () => {
  const { folder } = newScene().order;
  const record = new ThreadRecord(folder);
  record.began('a', 'rules');
  expect(record.since({ in: 100, out: 10 })).toEqual({ in: 100, out: 10 });
  expect(record.since({ in: 250, out: 10 })).toEqual({ in: 150, out: 0 });
  const next = new ThreadRecord(folder);
  next.began('a', 'other rules');
  expect(next.since({ in: 300, out: 30 })).toEqual({ in: 50, out: 20 });
  // It remembers what the thread began with.
  expect(next.rulesOf('a')).toBe('rules');
});

test('another thread counts from the beginning, and so does one that was counted anew', () => {
  const record = new ThreadRecord(newScene().order.folder);
  record.began('a', 'rules');
  record.since({ in: 100, out: 10 });
  record.began('b', 'new rules');
  expect(record.rulesOf('a')).toBeUndefined();
  expect(record.since({ in: 70, out: 20 })).toEqual({ in: 70, out: 20 });
  expect(record.since({ in: 40, out: 30 })).toEqual({ in: 40, out: 10 });
});

test('a record that cannot be read holds nothing up', () => {
  const { folder } = newScene().order;
  writeFileSync(join(folder, 'thread.json'), '{"thread":');
  const record = new ThreadRecord(folder);
  expect(record.rulesOf('a')).toBeUndefined();
  record.began('a', 'rules');
  expect(record.since({ in: 1, out: 1 })).toEqual({ in: 1, out: 1 });
});
