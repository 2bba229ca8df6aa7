/** Tests that an emitter isolates its listeners from the source and from each other. */
import { expect, test } from 'vitest';
import { createEmitter } from '../../../src/lib/async/emitter.ts';

test('calls every listener asynchronously, even if an earlier listener throws or rejects', async () => {
  const emitter = createEmitter<number>();
  const heard: number[] = [];
  emitter.subscribe(() => {
    throw new Error('broken');
  });
  const rejecting: () => unknown = () => Promise.reject(new Error('rejected'));
  emitter.subscribe(rejecting);
  emitter.subscribe((value) => heard.push(value));
  emitter.emit(1);
  expect(heard).toEqual([]);
  await Promise.resolve();
  expect(heard).toEqual([1]);
});

test('ends only one subscription if the same function has subscribed twice', async () => {
  const emitter = createEmitter<number>();
  const heard: number[] = [];
  const listener = (value: number) => void heard.push(value);
  const stop = emitter.subscribe(listener);
  emitter.subscribe(listener);
  stop();
  emitter.emit(1);
  await Promise.resolve();
  expect(heard).toEqual([1]);
});

test('calls no listener after the emitter was closed, not even for a value that was emitted before the close', async () => {
  const emitter = createEmitter();
  const heard: string[] = [];
  emitter.subscribe(() => heard.push('called'));
  emitter.emit();
  emitter.close();
  await Promise.resolve();
  expect(heard).toEqual([]);
});
