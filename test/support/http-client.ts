/**
 * An operator's client for the HTTP server of a daemon, which may be running in this process or
 * another one.
 */
import type { Event } from '../../src/core/model/event.ts';
import type { HealthView } from '../../src/protocol/status.ts';

export interface ApiClient {
  readonly url: string;
  readonly token: string;
  request<T = unknown>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }>;
  get<T = unknown>(path: string): Promise<T>;
  post<T = unknown>(path: string, body?: unknown): Promise<T>;
  /** Returns the whole journal so far. */
  events(): Promise<Event[]>;
}

export function openApiClient(url: string, token: string): ApiClient {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    connection: 'close',
  };

  async function request<T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: T }> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as T };
  }

  async function expectOk<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await request<T>(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  return {
    url,
    token,
    request,
    get: (path) => expectOk('GET', path),
    post: (path, body = {}) => expectOk('POST', path, body),
    async events() {
      const { journalVersion } = await expectOk<HealthView>('GET', '/health');
      return readJournal(`${url}/events?after=0`, headers, journalVersion);
    },
  };
}

/**
 * Reads up to the event that was the newest when reading began, because the stream itself never
 * ends.
 */
async function readJournal(url: string, headers: Record<string, string>, last: number): Promise<Event[]> {
  const leaving = new AbortController();
  const { body } = await fetch(url, { headers, signal: leaving.signal });
  const events: Event[] = [];
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push(JSON.parse(data) as Event);
      }
      if ((events.at(-1)?.seq ?? 0) >= last) break;
    }
  } finally {
    leaving.abort();
  }
  return events;
}
