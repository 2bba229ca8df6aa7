/** Writes a response, or breaks the connection. */
import type { ServerResponse } from 'node:http';

export interface GithubHttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. No body if undefined. */
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly text?: string;
}

const DOCUMENTATION = 'https://docs.github.com/rest';

export function send(response: ServerResponse, { status, headers, body, text }: GithubHttpResponse): void {
  const type = text === undefined ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'x-github-request-id': 'SIMULATED', ...headers });
  response.end(text ?? (body === undefined ? undefined : JSON.stringify(body)));
}

export function toMessageResponse(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): GithubHttpResponse {
  return {
    status,
    headers,
    body: { message: text, documentation_url: DOCUMENTATION, status: String(status) },
  };
}

/** Returns the response of a load balancer whose backend fails. */
export function toBrokenResponse(status: number): GithubHttpResponse {
  return { status, text: `<html><head><title>${status}</title></head><body>${status} Unicorn</body></html>` };
}

export function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
