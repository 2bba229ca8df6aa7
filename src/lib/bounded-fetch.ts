/** Sends HTTP requests with limits on duration and response size. */

export interface BoundedFetchOptions {
  /**
   * Maximum size of a response after decompression, so that a small compressed response cannot
   * expand without limit.
   */
  readonly maxBytes: number;
  /** Maximum time from sending the request until the last byte of the response. */
  readonly timeoutMs: number;
  /** When aborted, ends requests in flight and rejects later ones. */
  readonly closing: AbortSignal;
}

export interface BoundedFetch {
  /**
   * Resolves to a response of any status with its complete body in memory. Rejects with a
   * `FetchError`, or with the reason of the request's signal or of `closing`.
   */
  send(url: string, init: RequestInit): Promise<Response>;
  /** Resolves when no request is in flight. */
  idle(): Promise<void>;
}

/**
 * Error for a request without a complete response: it is unknown whether the service has acted. The
 * message continues a sentence that begins with the service's name, as in "GitHub …".
 */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: 'timeout' | 'too_large' | 'network';

  constructor(kind: FetchError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export function openBoundedFetch({ maxBytes, timeoutMs, closing }: BoundedFetchOptions): BoundedFetch {
  const pending = new Set<Promise<unknown>>();

  async function send(url: string, init: RequestInit): Promise<Response> {
    const ending = new AbortController();
    const timer = setTimeout(
      () => ending.abort(new FetchError('timeout', `did not respond within ${timeoutMs} ms`)),
      timeoutMs,
    );
    const stopFollowing = [followSignal(ending, init.signal), followSignal(ending, closing)];
    try {
      ending.signal.throwIfAborted();
      return await readWhole(await fetch(url, { ...init, signal: ending.signal }), maxBytes);
    } catch (error) {
      if (ending.signal.aborted) throw ending.signal.reason;
      if (error instanceof FetchError) throw error;
      throw new FetchError('network', `could not be reached: ${describeCause(error)}`);
    } finally {
      clearTimeout(timer);
      for (const stop of stopFollowing) stop();
    }
  }

  return {
    send(url, init) {
      const sent = send(url, init);
      const settled = sent.catch(() => {}).finally(() => pending.delete(settled));
      pending.add(settled);
      return sent;
    },
    async idle() {
      await Promise.all(pending);
    },
  };
}

/**
 * Replaces `AbortSignal.any`, which would keep every request in memory as long as its longest-lived
 * signal.
 */
function followSignal(ending: AbortController, signal: AbortSignal | null | undefined): () => void {
  const end = () => ending.abort(signal?.reason);
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end, { once: true });
  return () => signal?.removeEventListener('abort', end);
}

/** Statuses for which `Response` rejects a body. */
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

async function readWhole({ status, headers, body }: Response, maxBytes: number): Promise<Response> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (size > maxBytes)
      throw new FetchError('too_large', `sent a response that is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return new Response(STATUSES_WITHOUT_BODY.has(status) ? null : Buffer.concat(chunks), { status, headers });
}

/** Node's fetch only says "fetch failed", and the cause may have a code but an empty message. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code = '', message } = cause as NodeJS.ErrnoException;
  return message.includes(code) ? message : `${code} ${message}`.trim();
}
