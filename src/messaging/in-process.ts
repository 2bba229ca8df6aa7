/** Delivers messages within this process, with a bounded queue of notices per subscription. */
import { LegionError, quoteText } from '../core/model/fault.ts';
import { isPattern, isTopic, isTopicMatch } from '../core/model/topic.ts';
import type { Envoy, Notice, NoticeListener } from '../ports/messaging.ts';

/**
 * Maximum number of queued notices per listener: ten for each of a hundred pull requests. A
 * listener with more is stuck.
 */
export const MAX_QUEUED_NOTICES = 1_000;

/** Maximum number of subscriptions: ten for each of a hundred workers. More indicates a leak. */
export const MAX_SUBSCRIPTIONS = 1_000;

interface EnvoySubscription {
  readonly pattern: string;
  readonly listener: NoticeListener;
  readonly waiting: { readonly topic: string; readonly notice: Notice }[];
  isBusy: boolean;
  isOver: boolean;
}

/** `onError` receives the errors of listeners that fail or fall behind. */
export function openInProcessEnvoy(onError: (error: unknown) => void): Envoy {
  const subscriptions = new Set<EnvoySubscription>();

  function end(subscription: EnvoySubscription): void {
    subscription.isOver = true;
    subscription.waiting.length = 0;
    subscriptions.delete(subscription);
  }

  function enqueue(subscription: EnvoySubscription, topic: string, notice: Notice): void {
    const { waiting, pattern } = subscription;
    // Drops the oldest notice, because the newest describe the current state.
    if (waiting.length >= MAX_QUEUED_NOTICES) {
      waiting.shift();
      onError(
        new Error(
          `A listener for ${quoteText(pattern)} is ${MAX_QUEUED_NOTICES} notices behind. The oldest notice was dropped`,
        ),
      );
    }
    waiting.push({ topic, notice });
    if (!subscription.isBusy) void deliverNotices(subscription, onError);
  }

  return {
    async publish(topic, notice) {
      if (!isTopic(topic))
        throw new LegionError('input.invalid', `topic: ${quoteText(topic)} is not a valid topic`);
      for (const each of subscriptions) if (isTopicMatch(each.pattern, topic)) enqueue(each, topic, notice);
    },
    subscribe(pattern, listener) {
      if (!isPattern(pattern))
        throw new LegionError('input.invalid', `pattern: ${quoteText(pattern)} is not a valid pattern`);
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
        throw new LegionError('input.invalid', `There are already ${MAX_SUBSCRIPTIONS} subscriptions`);
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

/** Runs asynchronously, so that a slow or failing listener never affects the publisher. */
async function deliverNotices(
  subscription: EnvoySubscription,
  onError: (error: unknown) => void,
): Promise<void> {
  subscription.isBusy = true;
  await Promise.resolve();
  for (let next = subscription.waiting.shift(); next !== undefined; next = subscription.waiting.shift()) {
    try {
      await subscription.listener(next.notice, next.topic);
    } catch (error) {
      if (!subscription.isOver) onError(error);
    }
  }
  subscription.isBusy = false;
}
