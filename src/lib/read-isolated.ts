/** Reads many items by batches, so that one item that is refused does not keep the others from being read. */
import { LegionError } from '../core/model/fault.ts';

/**
 * Requests beyond one for each batch. Finding one bad item among a hundred takes 14; several bad ones, or a document that is
 * refused whatever it asks for, must not use up the budget of an hour.
 */
const MAX_EXTRA_REQUESTS = 30;

export interface IsolatedRead<T> {
  readonly items: readonly T[];
  /** Items asked for in one request. */
  readonly batch: number;
  readonly read: (items: readonly T[]) => Promise<void>;
  /** Which errors one of the items may have caused; by default every refusal. */
  readonly isolates?: (error: LegionError) => boolean;
  /** Whether an error that may pass is also taken for that of one item, because it came again and again. */
  readonly isPersistent?: boolean;
  /** Called with each item that was refused, and the reason; also with those there were no requests left to isolate. */
  readonly refuse: (item: T, reason: LegionError) => void;
}

/** Halves a batch that is refused as a whole until the refused item is alone. What may succeed later rejects as before. */
export async function readIsolated<T>(asked: IsolatedRead<T>): Promise<void> {
  const { items, batch, read, refuse, isolates = () => true, isPersistent = false } = asked;
  const passing: { readonly item: T; readonly error: LegionError }[] = [];
  let extra = MAX_EXTRA_REQUESTS;
  const waiting: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += batch) waiting.push(items.slice(from, from + batch));
  for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
    try {
      await read(some);
    } catch (error) {
      const mayBeOfOne = isRefusal(error) || (isPersistent && isUnavailable(error));
      if (!mayBeOfOne || !isolates(error)) throw error;
      if (some.length === 1 || extra < 2) {
        for (const item of some)
          if (isUnavailable(error)) passing.push({ item, error });
          else refuse(item, error);
        continue;
      }
      extra -= 2;
      const middle = Math.ceil(some.length / 2);
      waiting.unshift(some.slice(0, middle), some.slice(middle));
    }
  }
  const [first] = passing;
  // Where many fail it is the service, and not one item.
  if (first !== undefined && passing.length > maxUnavailable(items.length)) throw first.error;
  for (const { item, error } of passing) refuse(item, error);
}

/** How many of so many items may be unavailable before the service itself is taken to be. */
export function maxUnavailable(items: number): number {
  return Math.min(MAX_UNAVAILABLE, Math.ceil(items / 2));
}

const MAX_UNAVAILABLE = 5;

/** Whether the service could not answer, and may be able to later. */
export function isUnavailable(error: unknown): error is LegionError {
  return error instanceof LegionError && error.code.endsWith('.unavailable');
}

/** Whether the service has answered and will answer the same again. A credential that is refused concerns every item. */
export function isRefusal(error: unknown): error is LegionError {
  return error instanceof LegionError && !error.retryable && !error.code.endsWith('.unauthorized');
}
