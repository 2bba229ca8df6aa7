/**
 * Conformance suite for envoys, the components that deliver notices. Tests every clause of the
 * port's contract.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Envoy, Notice } from '../../../src/ports/messaging.ts';
import { refusal } from '../journal/refusal.ts';

export interface EnvoyHarness {
  readonly envoy: Envoy;
  /** Errors that listeners threw. */
  readonly errors: readonly unknown[];
  /** Resolves when every published notice has been delivered. */
  settled(): Promise<void>;
}

/** `make` creates an envoy for each test, which is closed afterwards. */
export function envoyConformance(name: string, make: () => Promise<EnvoyHarness>): void {
  describe(`${name} envoy`, () => {
    let harness: EnvoyHarness;
    let envoy: Envoy;
    beforeEach(async () => {
      harness = await make();
      envoy = harness.envoy;
    });
    afterEach(() => envoy.close());

    function hear(pattern: string): string[] {
      const heard: string[] = [];
      envoy.subscribe(pattern, ({ text }, topic) => void heard.push(`${topic} ${text}`));
      return heard;
    }

    test('delivers each matching notice once and in order to each subscription', async () => {
      const [all, one, other] = [hear('pr.>'), hear('pr.*.ci'), hear('issue.*')];
      await envoy.publish('pr.1.ci', said('first'));
      await envoy.publish('pr.1', said('second'));
      await envoy.publish('pr.2.ci', said('third'));
      await harness.settled();
      expect(all).toEqual(['pr.1.ci first', 'pr.1 second', 'pr.2.ci third']);
      expect(one).toEqual(['pr.1.ci first', 'pr.2.ci third']);
      expect(other).toEqual([]);
    });

    test('delivers the fields of a notice as they were sent', async () => {
      const heard: Notice[] = [];
      envoy.subscribe('>', (notice) => void heard.push(notice));
      const notice = { text: 'größe “x”', data: { number: 1, failing: ['a', 'b'], url: null, ok: true } };
      await envoy.publish('a', notice);
      await harness.settled();
      expect(heard).toEqual([notice]);
    });

    test('accepts a notice without any subscriber', async () => {
      await expect(envoy.publish('nobody.here', said('hello'))).resolves.toBeUndefined();
    });

    test('delivers only notices that are published between the start and the end of a subscription', async () => {
      const heard: string[] = [];
      await envoy.publish('a', said('before'));
      await harness.settled();
      const end = envoy.subscribe('a', ({ text }) => void heard.push(text));
      await envoy.publish('a', said('within'));
      await harness.settled();
      end();
      end();
      await envoy.publish('a', said('after'));
      await harness.settled();
      expect(heard).toEqual(['within']);
    });

    test('keeps delivering to all listeners after one of them throws or rejects', async () => {
      const tried: string[] = [];
      envoy.subscribe('a', ({ text }) => {
        tried.push(text);
        throw new Error(`thrown at ${text}`);
      });
      envoy.subscribe('a', async ({ text }) => {
        throw new Error(`rejected at ${text}`);
      });
      const heard = hear('a');
      await envoy.publish('a', said('1'));
      await envoy.publish('a', said('2'));
      await harness.settled();
      expect(heard).toEqual(['a 1', 'a 2']);
      expect(tried).toEqual(['1', '2']);
      expect(harness.errors.map(String).toSorted()).toEqual([
        'Error: rejected at 1',
        'Error: rejected at 2',
        'Error: thrown at 1',
        'Error: thrown at 2',
      ]);
    });

    test('calls a listener that hangs with only one notice, and still delivers to the others', async () => {
      const begun: string[] = [];
      envoy.subscribe('a', ({ text }) => {
        begun.push(text);
        return new Promise(() => undefined);
      });
      const heard = hear('a');
      await envoy.publish('a', said('1'));
      await envoy.publish('a', said('2'));
      await harness.settled();
      expect(begun).toEqual(['1']);
      expect(heard).toEqual(['a 1', 'a 2']);
    });

    test('neither calls listeners synchronously nor makes the publisher wait for them', async () => {
      const order: string[] = [];
      envoy.subscribe('a', () => void order.push('heard'));
      const published = envoy.publish('a', said('1'));
      order.push('published');
      await published;
      await harness.settled();
      expect(order).toEqual(['published', 'heard']);
    });

    test('rejects invalid topics and patterns', async () => {
      expect((await refusal(envoy.publish('a.*', said('1')))).code).toBe('input.invalid');
      expect((await refusal(envoy.publish('', said('1')))).code).toBe('input.invalid');
      expect(() => envoy.subscribe('a..b', () => undefined)).toThrow('is not a valid pattern');
      expect(() => envoy.subscribe('>.a', () => undefined)).toThrow('is not a valid pattern');
    });

    test('delivers nothing after closing', async () => {
      const heard = hear('>');
      await envoy.publish('a', said('before'));
      await harness.settled();
      await envoy.close();
      await envoy.publish('a', said('after')).catch(() => undefined);
      await harness.settled();
      expect(heard).toEqual(['a before']);
    });
  });
}

export function said(text: string): Notice {
  return { text, data: {} };
}
