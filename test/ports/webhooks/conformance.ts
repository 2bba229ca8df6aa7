/** The suite every envoy passes: each line of the port's contract as statements that can fail. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Envoy, Notice } from '../../../src/envoy/envoy.ts';
import { refusal } from '../workspace/refusal.ts';

export interface EnvoyHarness {
  readonly envoy: Envoy;
  /** What went wrong with listeners. */
  readonly troubles: readonly unknown[];
  /** Resolves when everything that was published has arrived where it can. */
  settled(): Promise<void>;
}

/** `make` gives each test an envoy of its own, which is closed after it. */
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

    test('each subscription hears what fits its pattern, once and in order', async () => {
      const [all, one, other] = [hear('pr.>'), hear('pr.*.ci'), hear('issue.*')];
      await envoy.publish('pr.1.ci', said('first'));
      await envoy.publish('pr.1', said('second'));
      await envoy.publish('pr.2.ci', said('third'));
      await harness.settled();
      expect(all).toEqual(['pr.1.ci first', 'pr.1 second', 'pr.2.ci third']);
      expect(one).toEqual(['pr.1.ci first', 'pr.2.ci third']);
      expect(other).toEqual([]);
    });

    test('the parts of a notice arrive as they were sent', async () => {
      const heard: Notice[] = [];
      envoy.subscribe('>', (notice) => void heard.push(notice));
      const notice = { text: 'größe “x”', data: { number: 1, failing: ['a', 'b'], url: null, ok: true } };
      await envoy.publish('a', notice);
      await harness.settled();
      expect(heard).toEqual([notice]);
    });

    test('nobody being there is no fault', async () => {
      await expect(envoy.publish('nobody.here', said('hello'))).resolves.toBeUndefined();
    });

    test('what was published before a subscription began, or after it ended, is not heard', async () => {
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

    test('a listener that throws or rejects disturbs nobody, and hears the next', async () => {
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
      expect(harness.troubles.map(String).toSorted()).toEqual([
        'Error: rejected at 1',
        'Error: rejected at 2',
        'Error: thrown at 1',
        'Error: thrown at 2',
      ]);
    });

    test('a listener that never ends holds up itself only, and gets one notice at a time', async () => {
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

    test('who publishes does not wait for, or run inside, those who listen', async () => {
      const order: string[] = [];
      envoy.subscribe('a', () => void order.push('heard'));
      const published = envoy.publish('a', said('1'));
      order.push('published');
      await published;
      await harness.settled();
      expect(order).toEqual(['published', 'heard']);
    });

    test('what is no topic, or no pattern, is refused', async () => {
      expect((await refusal(envoy.publish('a.*', said('1')))).code).toBe('input.invalid');
      expect((await refusal(envoy.publish('', said('1')))).code).toBe('input.invalid');
      expect(() => envoy.subscribe('a..b', () => undefined)).toThrow('is no pattern');
      expect(() => envoy.subscribe('>.a', () => undefined)).toThrow('is no pattern');
    });

    test('after closing nobody hears anything', async () => {
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
