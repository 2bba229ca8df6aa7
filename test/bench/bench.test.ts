import { expect, test } from 'vitest';
import { waitUntil, withDeadline } from '../../bench/bench.ts';

const NEVER = new AbortController().signal;

test('waitUntil resolves once the condition is true', async () => {
  let looks = 0;
  const holds = () => {
    looks += 1;
    return looks === 3;
  };
  await waitUntil(holds, { what: 'the third look', deadlineMs: 5_000, signal: NEVER });
  expect(looks).toBe(3);
});

test('waitUntil reports what it waited for when the deadline passes', async () => {
  const waiting = waitUntil(() => false, { what: 'BENCH-1 to be Done', deadlineMs: 50, signal: NEVER });
  await expect(waiting).rejects.toThrow('Timed out after 0.05 s waiting for BENCH-1 to be Done.');
});

test('withDeadline rejects at the deadline even if the work ignores its signal', async () => {
  const waiting = withDeadline(() => new Promise(() => undefined), {
    what: 'work that hangs',
    deadlineMs: 50,
    signal: NEVER,
  });
  await expect(waiting).rejects.toThrow('waiting for work that hangs');
});

test('withDeadline rejects with the reason if it is interrupted', async () => {
  const interrupted = new AbortController();
  const waiting = withDeadline(() => new Promise(() => undefined), {
    what: 'anything',
    deadlineMs: 5_000,
    signal: interrupted.signal,
  });
  interrupted.abort(new Error('Interrupted by SIGINT.'));
  await expect(waiting).rejects.toThrow('Interrupted by SIGINT.');
});
