/** Tests messages within one process, and the limits on them. */
import { expect, test } from 'vitest';
import { MAX_QUEUED_NOTICES, MAX_SUBSCRIPTIONS, openInProcessEnvoy } from '../../src/messaging/in-process.ts';
import { envoyConformance, said } from '../ports/webhooks/conformance.ts';
import { settled } from '../support/virtual-clock.ts';

envoyConformance('in-process', async () => {
  const errors: unknown[] = [];
  return { envoy: openInProcessEnvoy((error) => errors.push(error)), errors, settled };
});

test('if a listener is slow, drops and reports the oldest queued notices, and still delivers the newest', async () => {
  const errors: unknown[] = [];
  const envoy = openInProcessEnvoy((error) => errors.push(error));
  const heard: string[] = [];
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  envoy.subscribe('a', async ({ text }) => {
    await free;
    heard.push(text);
  });
  await envoy.publish('a', said('0'));
  await settled(); // the listener is handling the first notice, and the rest are queued
  for (let each = 1; each <= MAX_QUEUED_NOTICES + 3; each += 1) await envoy.publish('a', said(String(each)));
  expect(errors).toHaveLength(3);
  release();
  await settled();
  expect(heard).toHaveLength(MAX_QUEUED_NOTICES + 1);
  expect(heard.slice(0, 3)).toEqual(['0', '4', '5']);
  expect(heard.at(-1)).toBe(String(MAX_QUEUED_NOTICES + 3));
  await envoy.close();
});

test('limits the number of subscriptions, and allows another when one ends', async () => {
  const envoy = openInProcessEnvoy(() => undefined);
  const ends = Array.from({ length: MAX_SUBSCRIPTIONS }, () => envoy.subscribe('a', () => undefined));
  expect(() => envoy.subscribe('a', () => undefined)).toThrow('There are already');
  ends[0]?.();
  envoy.subscribe('a', () => undefined);
  await envoy.close();
});

test('drops queued notices when their subscription ends', async () => {
  const envoy = openInProcessEnvoy(() => undefined);
  const heard: string[] = [];
  const end = envoy.subscribe('a', ({ text }) => void heard.push(text));
  await envoy.publish('a', said('1'));
  await settled();
  const published = envoy.publish('a', said('2'));
  end();
  await published;
  await settled();
  expect(heard).toEqual(['1']);
});
