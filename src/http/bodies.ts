/**
 * Reads a request's JSON body with a size limit and exact errors, and limits the memory of
 * unauthenticated deliveries.
 */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { LegionError, quoteText } from '../core/model/fault.ts';
import { MAX_MESSAGE_BYTES } from '../protocol/outbox.ts';

/**
 * Limits the size of a body. Must run before `readJson`. The default is the maximum size of a
 * message in a worker's outbox.
 */
export function limitBody(maxBytes = MAX_MESSAGE_BYTES): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError() {
      throw refuseTooLarge(maxBytes);
    },
  });
  return async (c, next) => {
    // If a request has no content length, `bodyLimit` copies it. Copying fails for the request
    // class of Hono's Node adapter, so the request is converted first.
    c.req.raw = toNativeRequest(c.req.raw);
    try {
      return await limit(c, next);
    } catch (error) {
      throw error instanceof LegionError ? error : refuseIncomplete(error);
    }
  };
}

/**
 * Reads the JSON body. Treats a missing body as an empty object, because many requests have no
 * fields to send.
 */
export async function readJson(c: Context): Promise<unknown> {
  const bytes = await c.req.arrayBuffer().catch((error: unknown) => {
    throw refuseIncomplete(error);
  });
  if (bytes.byteLength === 0) return {};
  const type = c.req.header('content-type') ?? 'no type';
  if (!/^application\/json *(?:;|$)/i.test(type)) {
    throw new LegionError(
      'http.body_invalid',
      `The body has type ${quoteText(type)}. Valid: application/json.`,
    );
  }
  try {
    // Refuses invalid UTF-8: replacement characters would change what was sent.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const message = `The body (${bytes.byteLength} bytes) is not valid JSON.`;
    throw new LegionError('http.body_invalid', message, { cause: error });
  }
}

export function refuseTooLarge(maxBytes: number): LegionError {
  return new LegionError('http.body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

export function refuseIncomplete(cause: unknown): LegionError {
  return new LegionError('http.request_malformed', 'The request ended before its body was complete.', {
    cause,
  });
}

function toNativeRequest({ url, method, headers, body }: Request): Request {
  return new Request(url, { method, headers, body, duplex: 'half' });
}

/**
 * Limit for the received bytes of all deliveries together. Enough for a thousand deliveries of
 * GitHub's usual size, or for eight deliveries of the maximum size.
 */
export const MAX_INFLIGHT_BYTES = 32 * 1024 * 1024;

interface InflightBody {
  /** Aborted with `webhook.busy` when this body is evicted. */
  readonly givenUp: AbortSignal;
  /**
   * Adds bytes that have arrived to the count. Bytes that are only announced in a header are not
   * counted.
   */
  grow(bytes: number): void;
  /** Releases all counted bytes. */
  close(): void;
}

export interface InflightBodies {
  open(): InflightBody;
}

/**
 * Limits how much memory unauthenticated deliveries can use. If they use too much, evicts the
 * oldest body: a real delivery arrives within milliseconds, so a body that is still incomplete is
 * stuck or hostile.
 */
export function openInflightBodies(): InflightBodies {
  const bodies = new Set<{ size: number; readonly giveUp: AbortController }>();
  let held = 0;

  function evictOldest(): void {
    for (const body of bodies) {
      if (held <= MAX_INFLIGHT_BYTES) return;
      held -= body.size;
      bodies.delete(body);
      body.giveUp.abort(
        new LegionError('webhook.busy', 'This delivery was dropped to free memory for newer ones.'),
      );
    }
  }

  return {
    open() {
      const body = { size: 0, giveUp: new AbortController() };
      bodies.add(body);
      return {
        givenUp: body.giveUp.signal,
        grow(bytes) {
          if (!bodies.has(body)) return;
          body.size += bytes;
          held += bytes;
          evictOldest();
        },
        close() {
          if (bodies.delete(body)) held -= body.size;
        },
      };
    },
  };
}
