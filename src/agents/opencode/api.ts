/**
 * HTTP client for one OpenCode server. Limits the duration of every request and reports a refused
 * request as a fault with the server's error text.
 */
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { parseJson } from '../../lib/json.ts';

/**
 * A running server responds within milliseconds, but the first request makes it load everything,
 * and the machine may be busy.
 */
const ANSWER_TIMEOUT_MS = 30_000;
/** Maximum number of response characters quoted in a fault. */
const MAX_QUOTED_CHARS = 500;

/** On failure, every method rejects with `agent.failed`. */
export interface OpencodeApi {
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  post(path: string, body?: object, timeoutMs?: number): Promise<unknown>;
  /** Resolves to undefined if the path does not exist. */
  find<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined>;
  /** Streams events until the server or `signal` ends the stream. */
  events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

export function createOpencodeApi({
  url,
  password,
}: {
  readonly url: string;
  readonly password: string;
}): OpencodeApi {
  const headers = {
    authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  };

  async function sendRequest(
    method: string,
    path: string,
    body?: object,
    timeoutMs = ANSWER_TIMEOUT_MS,
  ): Promise<Response> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await fetch(url + path, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw createApiError(method, path, describeFetchError(error), error);
    }
  }

  async function readResponse(method: string, path: string, response: Response): Promise<unknown> {
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw createApiError(method, path, describeFetchError(error), error);
    }
    if (!response.ok)
      throw createApiError(method, path, `${response.status} ${text.slice(0, MAX_QUOTED_CHARS)}`);
    return parseJson(text);
  }

  async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return decodeResponse(path, schema, await readResponse('GET', path, await sendRequest('GET', path)));
  }

  return {
    get,
    post: async (path, body = {}, timeoutMs) =>
      readResponse('POST', path, await sendRequest('POST', path, body, timeoutMs)),
    async find(path, schema) {
      const response = await sendRequest('GET', path);
      const data = readResponse('GET', path, response);
      if (response.status !== 404) return decodeResponse(path, schema, await data);
      await data.catch(() => undefined);
      return undefined;
    },
    async events(signal) {
      const response = await fetch(`${url}/event`, { headers, signal }).catch((error: unknown) => {
        throw createApiError('GET', '/event', describeFetchError(error), error);
      });
      if (!response.ok || response.body === null)
        throw createApiError('GET', '/event', `status ${response.status} without an event stream`);
      return response.body;
    },
  };
}

function decodeResponse<T>(path: string, schema: z.ZodType<T>, data: unknown): T {
  const { data: value, error } = schema.safeParse(data);
  if (error !== undefined)
    throw createApiError('GET', path, z.prettifyError(error).slice(0, MAX_QUOTED_CHARS));
  return value as T;
}

function createApiError(method: string, path: string, why: string, cause?: unknown): LegionError {
  return new LegionError(
    'agent.failed',
    `the request ${method} ${path} to opencode's server failed: ${why}`,
    { cause },
  );
}

/** Prefers the connection's own error, because fetch only reports "fetch failed". */
function describeFetchError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
