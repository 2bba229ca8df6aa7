/** Messages within one process, and what bounds them. */
import { expect, test } from 'vitest';
import { openInProcessEnvoy, SUBSCRIPTIONS_MOST, WAITING_MOST } from '../../src/messaging/in-process.ts';
import { envoyConformance, said } from '../ports/webhooks/conformance.ts';
import { settled } from '../support/virtual-clock.ts';

envoyConformance('in-process', async () => {
  const troubles: unknown[] = [];
  return { envoy: openInProcessEnvoy((error) => troubles.push(error)), troubles, settled };
});

test('a listener too far behind loses the oldest notices, which is told, and hears the newest', async () => {
  const troubles: unknown[] = [];
  const envoy = openInProcessEnvoy((error) => troubles.push(error));
  const heard: string[] = [];
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  envoy.subscribe('a', async ({ text }) => {
    await free;
    heard.push(text);
  });
  await envoy.publish('a', said('0'));
  await settled(); // the first is with the listener, the rest wait
  for (let each = 1; each <= WAITING_MOST + 3; each += 1) await envoy.publish('a', said(String(each)));
  expect(troubles).toHaveLength(3);
  release();
  await settled();
  expect(heard).toHaveLength(WAITING_MOST + 1);
  expect(heard.slice(0, 3)).toEqual(['0', '4', '5']);
  expect(heard.at(-1)).toBe(String(WAITING_MOST + 3));
  await envoy.close();
});

test('there is an end to subscriptions, and one that ended makes room', async () => {
  const envoy = openInProcessEnvoy(() => undefined);
  const ends = Array.from({ length: SUBSCRIPTIONS_MOST }, () => envoy.subscribe('a', () => undefined));
  expect(() => envoy.subscribe('a', () => undefined)).toThrow('subscriptions already');
  ends[0]?.();
  envoy.subscribe('a', () => undefined);
  await envoy.close();
});

test('what waits for a listener when its subscription ends is dropped', async () => {
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
