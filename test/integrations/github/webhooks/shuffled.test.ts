/**
 * Tests that lost, tripled or shuffled deliveries change only when something is read again, never
 * what is read.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_WINDOW_MS } from '../../../../src/integrations/github/webhooks/check-summary.ts';
import { toWakeKey } from '../../../../src/integrations/webhook-support/pending.ts';
import type { WakeUp } from '../../../../src/ports/webhooks.ts';
import { assertAsyncProperty } from '../../../support/property.ts';
import { receiving, type Sent } from './delivering.ts';
import { altered, examplesOf } from './examples.ts';

const POOL: readonly Sent[] = [
  ...['issues', 'issue_comment', 'pull_request', 'pull_request_review', 'check_run', 'check_suite', 'status'],
  ...['workflow_run', 'push', 'projects_v2_item', 'label', 'ping', 'star'],
].flatMap((event) =>
  examplesOf(event).map((body, index) => {
    const other = 'issue' in body ? altered(body, { 'issue.number': index + 1 }) : body;
    return { event, id: `${event.replaceAll('_', '-')}-${index}`, body: other };
  }),
);

async function namedBy(deliveries: readonly Sent[]): Promise<ReadonlySet<string>> {
  const receiver = receiving();
  for (const each of deliveries) await receiver.send(each);
  await receiver.quiet();
  await receiver.clock.advance(MAX_WINDOW_MS);
  await receiver.quiet();
  await receiver.close();
  expect(receiver.errors).toEqual([]);
  return new Set(receiver.woken.map(whatItNames));
}

/**
 * Describes what a wake-up refers to. For a commit, branches and pull requests come last in the
 * text. The test of lost deliveries cuts them off, because a lost event may have been the only one
 * that mentioned them.
 */
function whatItNames(wakeUp: WakeUp): string {
  if (wakeUp === 'everything' || !('commit' in wakeUp)) return toWakeKey(wakeUp);
  const { branches, pullRequests } = wakeUp.commit;
  return [toWakeKey(wakeUp), branches.toSorted(), pullRequests.toSorted()].join(' ');
}

const some = fc.uniqueArray(fc.constantFrom(...POOL), { maxLength: 25 });
const runs = { numRuns: 400 };

test('emits equivalent wake-ups for tripled and shuffled deliveries, even if delivery ids are forgotten', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(some, fc.func(fc.integer()), fc.boolean(), async (deliveries, key, isForgotten) => {
      const copies = ['a', 'b', 'c'].flatMap((copy) =>
        deliveries.map((each) => (isForgotten ? { ...each, id: `${each.id}-${copy}` } : each)),
      );
      const mixed = copies.map((each, index) => ({ each, at: key(index) }));
      mixed.sort((one, other) => one.at - other.at);
      const [plain, tripled] = [await namedBy(deliveries), await namedBy(mixed.map(({ each }) => each))];
      if (plain.has('everything')) expect(tripled).toContain('everything');
      else expect(tripled).toEqual(plain);
    }),
    runs,
  );
});

test('emits no additional wake-ups if some deliveries are lost', async () => {
  await assertAsyncProperty(
    fc.asyncProperty(some, fc.func(fc.boolean()), async (deliveries, isLost) => {
      const commitsApart = (names: ReadonlySet<string>) => [...names].map((name) => name.split(' ')[0]);
      const whole = commitsApart(await namedBy(deliveries));
      const rest = commitsApart(await namedBy(deliveries.filter((_, index) => !isLost(index))));
      if (!whole.includes('everything')) for (const name of rest) expect(whole).toContain(name);
    }),
    runs,
  );
});

test('the pool of deliveries covers every kind of wake-up', async () => {
  const names = [...(await namedBy(POOL.filter(({ event }) => event !== 'label' && event !== 'push')))];
  for (const form of [/#\d+$/, /:changes$/, /@[0-9a-f]{40}/, /^PVT_\S+ PVTI_/]) {
    expect(names.filter((name) => form.test(name)).length, String(form)).toBeGreaterThan(0);
  }
});
