/**
 * Sends requests over real sockets: well-formed requests with arbitrary headers, and bytes that do
 * not form a request.
 */
import { request } from 'node:http';
import { connect } from 'node:net';

interface Address {
  readonly port: number;
  /** Path of the Unix socket. */
  readonly socket?: string;
  /** Token of the operator. */
  readonly token: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  /** If absent, sends the request over loopback. */
  readonly over?: 'socket';
  /** If absent, the operator's token is sent. If null, no token is sent. */
  readonly token?: string | null;
  /** A value that is sent as JSON, or raw bytes. */
  readonly body?: unknown;
  /** Body parts that are sent one after the other, without a content length. */
  readonly chunks?: readonly Uint8Array[];
}

export function ask(
  { port, socket, token: own }: Address,
  route: string,
  { headers = {}, over, token = own, body, chunks = [] }: Asking = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = route.split(' ');
  const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const sent = request({
      ...(over === 'socket' ? { socketPath: socket } : { host: '127.0.0.1', port }),
      method,
      path,
      agent: false,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(bytes === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': bytes.length }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', async (response) => {
      let text = '';
      // Closes an event stream, because it has no end to wait for.
      if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
      else for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    for (const chunk of chunks) sent.write(chunk);
    sent.end(bytes);
  });
}

/**
 * Sends lines to a port or a Unix socket. Resolves to everything received until the server closes
 * the connection.
 */
export function raw(
  where: { readonly port: number } | { readonly path: string },
  ...lines: string[]
): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const address = 'path' in where ? { path: where.path } : { port: where.port, host: '127.0.0.1' };
    const socket = connect(address, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

/** Sends the lines and disconnects. */
export function sayAndLeave({ port }: Pick<Address, 'port'>, ...lines: string[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(lines.join('\r\n'), () => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
}

/** Returns the error code of a refused request. Fails the test if the body has any other form. */
export function codeOf({ text }: { readonly text: string }): string {
  const { error, ...more } = JSON.parse(text);
  const { code, message, next, ...evenMore } = error;
  if (Object.keys({ ...more, ...evenMore }).length > 0)
    throw new Error(`the body contains more than an error: ${text}`);
  if (![code, message, next].every((part) => typeof part === 'string' && part !== '')) {
    throw new Error(`the error is incomplete: ${text}`);
  }
  return code;
}
