/** Writes a response, or breaks the connection. */
import type { ServerResponse } from 'node:http';

export interface LinearHttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly text?: string;
}

export function send(response: ServerResponse, { status, headers, body, text }: LinearHttpResponse): void {
  const type = text === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(text ?? JSON.stringify(body));
}

/** Returns the response of a load balancer whose backend fails. */
export function toBrokenResponse(status: number): LinearHttpResponse {
  return { status, text: `<html><head><title>${status}</title></head><body>${status}</body></html>` };
}

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
