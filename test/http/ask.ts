/** Requests over real sockets: well-formed ones with any header, and bytes that are no request at all. */
import { request } from 'node:http';
import { connect } from 'node:net';

interface Address {
  readonly port: number;
  /** The Unix socket, for what is asked over it. */
  readonly socket?: string;
  /** The operator's. */
  readonly token: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface Asking {
  readonly headers?: Readonly<Record<string, string>>;
  /** Loopback where it is absent. */
  readonly over?: 'socket';
  /** The operator's where it is absent; none where it is null. */
  readonly token?: string | null;
  /** JSON, unless it is bytes. */
  readonly body?: unknown;
  /** Sent one after the other, without a word about how much it will be. */
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
      // A stream has no end to wait for.
      if (response.headers['content-type']?.startsWith('text/event-stream')) response.destroy();
      else for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    for (const chunk of chunks) sent.write(chunk);
    sent.end(bytes);
  });
}

/** Sends lines to a port or a Unix socket; resolves to everything that comes back until the other side ends. */
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

/** Says so much and is gone. */
export function sayAndLeave({ port }: Pick<Address, 'port'>, ...lines: string[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => {
      socket.write(lines.join('\r\n'), () => socket.destroy());
    });
    socket.on('close', () => resolve());
  });
}

/** The code of a refusal; a body of any other form fails the test. */
export function codeOf({ text }: { readonly text: string }): string {
  const { error, ...more } = JSON.parse(text);
  const { code, message, next, ...evenMore } = error;
  if (Object.keys({ ...more, ...evenMore }).length > 0) throw new Error(`more than an error: ${text}`);
  if (![code, message, next].every((part) => typeof part === 'string' && part !== '')) {
    throw new Error(`not a whole error: ${text}`);
  }
  return code;
}
