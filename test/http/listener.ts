/** Reads an event stream over a real socket, and can pause reading. */
import { type IncomingMessage, request } from 'node:http';

interface Heard {
  readonly id: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Listener {
  readonly status: number;
  readonly response: IncomingMessage;
  /** Complete frames so far, including heartbeats. */
  readonly frames: readonly string[];
  /** Resolves when this many events have arrived. */
  until(events: number): Promise<readonly Heard[]>;
  untilFrame(frame: string): Promise<void>;
  /** Resolves when the daemon has ended the stream. */
  readonly ended: Promise<void>;
  leave(): void;
}

export function listen(
  { port, token }: { readonly port: number; readonly token?: string },
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
    });
    sent.on('error', reject);
    sent.on('response', (response) => resolve(listener(response)));
    sent.end();
  });
}

function listener(response: IncomingMessage): Listener {
  const frames: string[] = [];
  const wakes = new Set<() => void>();
  let rest = '';
  response.setEncoding('utf8');
  response.on('data', (text: string) => {
    const parts = (rest + text).split('\n\n');
    rest = parts.pop() ?? '';
    frames.push(...parts);
    for (const wake of wakes) wake();
  });
  // When a client disconnects, its response emits an error, which is ignored.
  response.on('error', () => undefined);

  function when(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds()) return;
        wakes.delete(look);
        resolve();
      };
      wakes.add(look);
      look();
    });
  }
  const heard = () => frames.filter((frame) => frame.startsWith('event: '));
  return {
    status: response.statusCode ?? 0,
    response,
    frames,
    async until(events) {
      await when(() => heard().length >= events);
      return heard().map(parse);
    },
    untilFrame: (frame) => when(() => frames.includes(frame)),
    ended: new Promise((resolve) => response.once('close', resolve)),
    leave: () => response.destroy(),
  };
}

function parse(frame: string): Heard {
  const [, event = '', data = '', id = ''] = /^event: ([\w.]+)\ndata: (.+)\nid: (\d+)$/.exec(frame) ?? [];
  return { id: Number(id), event, data: JSON.parse(data) };
}
