/** How an answer is written, and how it fails to be. */
import type { ServerResponse } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, instead of a body. */
  readonly text?: string;
}

export function send(response: ServerResponse, { status, headers, body, text }: Answer): void {
  const type = text === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(text ?? JSON.stringify(body));
}

/** What a load balancer says for a server behind it. */
export function broken(status: number): Answer {
  return { status, text: `<html><head><title>${status}</title></head><body>${status}</body></html>` };
}

export function breakOff(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
