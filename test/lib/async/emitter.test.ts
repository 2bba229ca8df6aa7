/** An emitter keeps its listeners apart from the source and from each other. */
import { expect, test } from 'vitest';
import { createEmitter } from '../../../src/lib/async/emitter.ts';

test('calls every listener later, also after one that throws or rejects', async () => {
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

test('ends one subscription at a time, also of a function that subscribed twice', async () => {
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

test('calls nobody after it was closed, not even for an earlier value', async () => {
  const emitter = createEmitter();
  const heard: string[] = [];
  emitter.subscribe(() => heard.push('called'));
  emitter.emit();
  emitter.close();
  await Promise.resolve();
  expect(heard).toEqual([]);
});
