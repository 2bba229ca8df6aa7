/** Reads items in batches, so that one rejected item does not keep the others from being read. */
import { LegionError } from '../core/model/fault.ts';

/**
 * Maximum number of requests in addition to one per batch. Finding one bad item among a hundred
 * takes 14 requests. Several bad items, or a document that is always rejected, must not use up the
 * hourly budget.
 */
const MAX_EXTRA_REQUESTS = 30;

export interface IsolatedRead<T> {
  readonly items: readonly T[];
  /** Items per request. */
  readonly batch: number;
  readonly read: (items: readonly T[]) => Promise<void>;
  /**
   * Whether one of the items may have caused this error. By default, true for every refusal by the
   * service.
   */
  readonly isolates?: (error: LegionError) => boolean;
  /**
   * True if earlier reads have kept failing with temporary errors. Such an error is then attributed
   * to a single item, like a refusal.
   */
  readonly isPersistent?: boolean;
  /**
   * Called with each rejected item and the reason, including items that could not be isolated
   * within the request limit.
   */
  readonly refuse: (item: T, reason: LegionError) => void;
}

/**
 * Halves a rejected batch until the rejected item is alone. A temporary error rejects the whole
 * read, unless `isPersistent` says that such errors have become permanent.
 */
export async function readIsolated<T>(options: IsolatedRead<T>): Promise<void> {
  const { items, batch, read, refuse, isolates = () => true, isPersistent = false } = options;
  const temporary: { readonly item: T; readonly error: LegionError }[] = [];
  let extra = MAX_EXTRA_REQUESTS;
  const waiting: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += batch) waiting.push(items.slice(from, from + batch));
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    try {
      await read(part);
    } catch (error) {
      const mayConcernOneItem = isRefusal(error) || (isPersistent && isUnavailable(error));
      if (!mayConcernOneItem || !isolates(error)) throw error;
      if (part.length === 1 || extra < 2) {
        for (const item of part)
          if (isUnavailable(error)) temporary.push({ item, error });
          else refuse(item, error);
        continue;
      }
      extra -= 2;
      const middle = Math.ceil(part.length / 2);
      waiting.unshift(part.slice(0, middle), part.slice(middle));
    }
  }
  const [first] = temporary;
  // If many items fail, the service is at fault, not one item.
  if (first !== undefined && temporary.length > computeMaxUnavailable(items.length)) throw first.error;
  for (const { item, error } of temporary) refuse(item, error);
}

/**
 * Returns how many items may be unavailable before the service itself is considered unavailable.
 */
export function computeMaxUnavailable(items: number): number {
  return Math.min(MAX_UNAVAILABLE, Math.ceil(items / 2));
}

const MAX_UNAVAILABLE = 5;

/** Returns whether the service could not answer but may be able to later. */
export function isUnavailable(error: unknown): error is LegionError {
  return error instanceof LegionError && error.code.endsWith('.unavailable');
}

/**
 * Returns whether the service refused the request and would refuse it again. False for a rejected
 * credential, because it affects every item.
 */
export function isRefusal(error: unknown): error is LegionError {
  return error instanceof LegionError && !error.retryable && !error.code.endsWith('.unauthorized');
}
