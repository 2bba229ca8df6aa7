/** Speaks to one server over HTTP: each request has a bound, and each refusal is a fault with the server's own words. */
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { parseJson } from '../../lib/json.ts';

/** A server at work answers in milliseconds; the first request makes it load everything, beside others that start on a busy machine. */
const ANSWER_MS = 30_000;
/** Characters of an answer that is quoted in a fault. */
const QUOTED = 500;

/** Each of them rejects with `agent.failed`. */
export interface Api {
  get<T>(path: string, schema: z.ZodType<T>): Promise<T>;
  post(path: string, body?: object, patienceMs?: number): Promise<unknown>;
  /** Undefined where there is no such thing. */
  find<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined>;
  /** The events as they come; ends when the server or the `signal` ends it. */
  events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

export function apiAt({ url, password }: { readonly url: string; readonly password: string }): Api {
  const headers = {
    authorization: `Basic ${Buffer.from(`opencode:${password}`).toString('base64')}`,
    'content-type': 'application/json',
  };

  async function ask(method: string, path: string, body?: object, patienceMs = ANSWER_MS): Promise<Response> {
    const signal = AbortSignal.timeout(patienceMs);
    try {
      return await fetch(url + path, {
        method,
        headers,
        signal,
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (error) {
      throw failed(method, path, whyOf(error), error);
    }
  }

  async function answer(method: string, path: string, response: Response): Promise<unknown> {
    let text: string;
    try {
      text = await response.text();
    } catch (error) {
      throw failed(method, path, whyOf(error), error);
    }
    if (!response.ok) throw failed(method, path, `${response.status} ${text.slice(0, QUOTED)}`);
    return parseJson(text);
  }

  async function get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return read(path, schema, await answer('GET', path, await ask('GET', path)));
  }

  return {
    get,
    post: async (path, body = {}, patienceMs) =>
      answer('POST', path, await ask('POST', path, body, patienceMs)),
    async find(path, schema) {
      const response = await ask('GET', path);
      const data = answer('GET', path, response);
      if (response.status !== 404) return read(path, schema, await data);
      await data.catch(() => undefined);
      return undefined;
    },
    async events(signal) {
      const response = await fetch(`${url}/event`, { headers, signal }).catch((error: unknown) => {
        throw failed('GET', '/event', whyOf(error), error);
      });
      if (!response.ok || response.body === null)
        throw failed('GET', '/event', `${response.status} without events`);
      return response.body;
    },
  };
}

function read<T>(path: string, schema: z.ZodType<T>, data: unknown): T {
  const { data: value, error } = schema.safeParse(data);
  if (error !== undefined) throw failed('GET', path, z.prettifyError(error).slice(0, QUOTED));
  return value as T;
}

function failed(method: string, path: string, why: string, cause?: unknown): LegionError {
  return new LegionError('agent.failed', `opencode's server, ${method} ${path}: ${why}`, { cause });
}

/** What the connection says, rather than "fetch failed". */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
