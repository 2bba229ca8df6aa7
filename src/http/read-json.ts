/** Reads a request's JSON body, bounded in size, with an exact error for everything else. */
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { LegionError, shown } from '../core/model/fault.ts';
import { MESSAGE_MOST_BYTES } from '../protocol/outbox.ts';

/** Must be done before `readJson`. By default the daemon takes what a worker may keep in its outbox. */
export function limitBody(maxBytes = MESSAGE_MOST_BYTES): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError() {
      throw refuseTooLarge(maxBytes);
    },
  });
  return async (c, next) => {
    // `bodyLimit` copies a request that does not state its length, which fails for the adapter's own class.
    c.req.raw = toNativeRequest(c.req.raw);
    try {
      return await limit(c, next);
    } catch (error) {
      throw error instanceof LegionError ? error : refuseIncomplete(error);
    }
  };
}

/** No body at all counts as an empty object: many requests have nothing to add. */
export async function readJson(c: Context): Promise<unknown> {
  const bytes = await c.req.arrayBuffer().catch((error: unknown) => {
    throw refuseIncomplete(error);
  });
  if (bytes.byteLength === 0) return {};
  const type = c.req.header('content-type') ?? 'no type';
  if (!/^application\/json *(?:;|$)/i.test(type)) {
    throw new LegionError('http.body_invalid', `the body is of type ${shown(type)}, not application/json`);
  }
  try {
    // Refuses invalid UTF-8: with replacement characters the daemon would store what nobody sent.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const message = `the body of ${bytes.byteLength} bytes is not JSON`;
    throw new LegionError('http.body_invalid', message, { cause: error });
  }
}

export function refuseTooLarge(maxBytes: number): LegionError {
  return new LegionError('http.body_too_large', `the body is larger than ${maxBytes} bytes`);
}

export function refuseIncomplete(cause: unknown): LegionError {
  return new LegionError('http.request_malformed', 'the request ended before its body did', { cause });
}

function toNativeRequest({ url, method, headers, body }: Request): Request {
  return new Request(url, { method, headers, body, duplex: 'half' });
}
