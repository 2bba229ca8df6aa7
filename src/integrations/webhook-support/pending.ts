/**
 * Queues the wake-ups and notices of deliveries: bounded, deduplicated and processed after the
 * response is sent.
 */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../core/model/clock.ts';
import type { Envoy, Notice } from '../../ports/messaging.ts';
import type { WakeUp } from '../../ports/webhooks.ts';

/**
 * Maximum number of distinct wake-ups. A board of a thousand issues has no more; beyond this
 * number, reading everything is cheaper.
 */
export const MAX_WAKE_UPS = 1_000;

/** Maximum number of queued notices. Neither people nor sessions read more. */
export const MAX_NOTICES = 1_000;

/**
 * Timeout for handling one batch. Long enough for a pass over a large board while GitHub is slow.
 * After the timeout, the next batch starts.
 */
export const HANDOVER_TIMEOUT_MS = 60_000;

const EVERYTHING_KEY = toWakeKey('everything');

export interface AddressedNotice {
  readonly topic: string;
  readonly notice: Notice;
}

export type PendingQueueOptions = Pick<WebhookReceiverOptions, 'wake' | 'envoy' | 'clock' | 'onError'>;

export interface PendingQueue {
  add(wakeUps: readonly WakeUp[], notices: readonly AddressedNotice[]): void;
  close(): void;
}

export function openPendingQueue({ wake, envoy, clock, onError }: PendingQueueOptions): PendingQueue {
  const wakeUps = new Map<string, WakeUp>();
  let notices: AddressedNotice[] = [];
  let isBusy = false;
  let isClosed = false;
  /** Cancels the timeout of the current batch. */
  let timeout = new AbortController();

  function enqueue(wakeUp: WakeUp): void {
    // `everything` covers all other wake-ups.
    if (wakeUps.has(EVERYTHING_KEY)) return;
    const key = toWakeKey(wakeUp);
    const known = wakeUps.get(key);
    if (wakeUp === 'everything' || (known === undefined && wakeUps.size >= MAX_WAKE_UPS)) {
      wakeUps.clear();
      wakeUps.set(EVERYTHING_KEY, 'everything');
      return;
    }
    wakeUps.set(key, known === undefined ? wakeUp : mergeWakeUps(known, wakeUp));
  }

  async function processBatches(): Promise<void> {
    isBusy = true;
    while (!isClosed && (wakeUps.size > 0 || notices.length > 0)) {
      // When this resolves, the response to the delivery has been sent.
      await setImmediate();
      const wakeUpBatch = [...wakeUps.values()];
      const noticeBatch = notices;
      wakeUps.clear();
      notices = [];
      // Handles wake-ups and notices in parallel, so that a wake-up does not wait for listeners.
      await runWithTimeout(async () => {
        const published = noticeBatch.map(({ topic, notice }) => envoy.publish(topic, notice).catch(onError));
        if (wakeUpBatch.length > 0) await wake(wakeUpBatch);
        await Promise.all(published);
      });
    }
    isBusy = false;
  }

  /** A handler that hangs must not block later batches. */
  async function runWithTimeout(work: () => Promise<void>): Promise<void> {
    if (isClosed) return;
    timeout = new AbortController();
    const late = clock.sleep(HANDOVER_TIMEOUT_MS, timeout.signal).then(
      () => onError(new Error(`Processing wake-ups took more than ${HANDOVER_TIMEOUT_MS / 1_000} s`)),
      () => undefined,
    );
    await Promise.race([work().catch(onError), late]);
    timeout.abort();
  }

  return {
    add(added, addedNotices) {
      if (isClosed) return;
      for (const each of added) enqueue(each);
      notices.push(...addedNotices);
      const tooMany = notices.length - MAX_NOTICES;
      if (tooMany > 0) {
        notices.splice(0, tooMany);
        onError(new Error(`${MAX_NOTICES} notices are waiting to be published. The oldest were dropped`));
      }
      if (!isBusy) void processBatches();
    },
    close() {
      isClosed = true;
      timeout.abort();
      wakeUps.clear();
      notices = [];
    },
  };
}

/**
 * Returns the deduplication key. Owner and repository names are case-insensitive; branch names are
 * not.
 */
export function toWakeKey(wakeUp: WakeUp): string {
  if (wakeUp === 'everything') return wakeUp;
  if ('issue' in wakeUp) return `${toRepositoryKey(wakeUp.issue)}#${wakeUp.issue.number}`;
  if ('branch' in wakeUp) return `${toRepositoryKey(wakeUp.branch)}:${wakeUp.branch.branch}`;
  if ('commit' in wakeUp) return `${toRepositoryKey(wakeUp.commit)}@${wakeUp.commit.sha}`;
  if ('tracked' in wakeUp) return wakeUp.tracked;
  return `${wakeUp.project} ${wakeUp.projectItem}`;
}

/**
 * Merges two wake-ups with the same key: the later one plus the branches and pull requests of the
 * earlier one.
 */
function mergeWakeUps(earlier: WakeUp, later: WakeUp): WakeUp {
  if (earlier === 'everything' || later === 'everything') return 'everything';
  if (!('commit' in earlier) || !('commit' in later)) return later;
  const { branches, pullRequests } = earlier.commit;
  return {
    commit: {
      ...later.commit,
      branches: [...new Set([...branches, ...later.commit.branches])],
      pullRequests: [...new Set([...pullRequests, ...later.commit.pullRequests])],
    },
  };
}

function toRepositoryKey({ owner, repo }: { readonly owner: string; readonly repo: string }): string {
  return `${owner}/${repo}`.toLowerCase();
}

/** The options of every webhook receiver. */
export interface WebhookReceiverOptions {
  /** Read for each delivery, because the secret may change while the daemon is running. */
  readonly secret: () => string | undefined;
  /** Returns the names by which people mention Legion's accounts at the service. */
  readonly accounts: () => readonly string[];
  /**
   * Receives each wake-up once, however often it was reported since the last call. Calls never
   * overlap.
   */
  readonly wake: (wakeUps: readonly WakeUp[]) => void | Promise<void>;
  readonly envoy: Pick<Envoy, 'publish'>;
  readonly clock: Clock;
  /** File of received deliveries. Its directory must exist. */
  readonly deliveries: string;
  /** Receives errors that occur after a delivery was accepted. */
  readonly onError: (error: unknown) => void;
}
