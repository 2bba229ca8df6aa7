/** Messages within this process: a bounded line of notices for each subscription. */
import { LegionError, shown } from '../core/model/fault.ts';
import { isPattern, isTopic, matches } from '../core/model/topic.ts';
import type { Envoy, Listener, Notice } from '../envoy/envoy.ts';

/** Notices one listener may be behind. A hundred pull requests with ten notices each; beyond that it is stuck. */
export const WAITING_MOST = 1_000;

/** Subscriptions at once: ten for each of a hundred workers. More is a subscription that nobody ends. */
export const SUBSCRIPTIONS_MOST = 1_000;

interface Subscription {
  readonly pattern: string;
  readonly listener: Listener;
  readonly waiting: { readonly topic: string; readonly notice: Notice }[];
  isBusy: boolean;
  isOver: boolean;
}

/** `onTrouble` hears of listeners that fail or fall behind. */
export function openInProcessEnvoy(onTrouble: (error: unknown) => void): Envoy {
  const subscriptions = new Set<Subscription>();

  function end(subscription: Subscription): void {
    subscription.isOver = true;
    subscription.waiting.length = 0;
    subscriptions.delete(subscription);
  }

  function hand(subscription: Subscription, topic: string, notice: Notice): void {
    const { waiting, pattern } = subscription;
    // The newest say what is so now; the oldest are what a listener so far behind can best do without.
    if (waiting.length >= WAITING_MOST) {
      waiting.shift();
      onTrouble(
        new Error(`a listener to ${shown(pattern)} is ${WAITING_MOST} notices behind; the oldest is dropped`),
      );
    }
    waiting.push({ topic, notice });
    if (!subscription.isBusy) void speak(subscription, onTrouble);
  }

  return {
    async publish(topic, notice) {
      if (!isTopic(topic)) throw new LegionError('input.invalid', `topic: ${shown(topic)} is not a topic`);
      for (const each of subscriptions) if (matches(each.pattern, topic)) hand(each, topic, notice);
    },
    subscribe(pattern, listener) {
      if (!isPattern(pattern))
        throw new LegionError('input.invalid', `pattern: ${shown(pattern)} is no pattern`);
      if (subscriptions.size >= SUBSCRIPTIONS_MOST) {
        throw new LegionError('input.invalid', `there are ${SUBSCRIPTIONS_MOST} subscriptions already`);
      }
      const subscription = { pattern, listener, waiting: [], isBusy: false, isOver: false };
      subscriptions.add(subscription);
      return () => end(subscription);
    },
    async close() {
      for (const each of [...subscriptions]) end(each);
    },
  };
}

/** Never in the publisher's own turn: whoever publishes must not wait for, or fail with, those who listen. */
async function speak(subscription: Subscription, onTrouble: (error: unknown) => void): Promise<void> {
  subscription.isBusy = true;
  await Promise.resolve();
  for (let next = subscription.waiting.shift(); next !== undefined; next = subscription.waiting.shift()) {
    try {
      await subscription.listener(next.notice, next.topic);
    } catch (error) {
      if (!subscription.isOver) onTrouble(error);
    }
  }
  subscription.isBusy = false;
}
