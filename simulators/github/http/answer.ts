/** How an answer is written, and how it fails to be. */
import type { ServerResponse } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; nothing where undefined. */
  readonly body?: unknown;
  /** Sent as it is, instead of a body. */
  readonly text?: string;
}

const DOCUMENTATION = 'https://docs.github.com/rest';

export function send(response: ServerResponse, { status, headers, body, text }: Answer): void {
  const type = text === undefined ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'x-github-request-id': 'SIMULATED', ...headers });
  response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)));
}

export function message(status: number, text: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers,
    body: { message: text, documentation_url: DOCUMENTATION, status: String(status) },
  };
}

/** What a load balancer says for a server behind it. */
export function broken(status: number): Answer {
  return { status, text: `<html><head><title>${status}</title></head><body>${status} Unicorn</body></html>` };
}

export function breakOff(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
