/** One HTTP request to the daemon over its socket, bounded in time and size. */
import type { IncomingMessage } from 'node:http';
import { LegionError } from '../core/model/fault.ts';
import { verifySocket } from './trusted-socket.ts';

/** An import would also load what Node keeps for `fetch` and web sockets: four times as long, and 15 MB. */
const { request } = process.getBuiltinModule('node:http');

/** Bytes. An issue with several hundred of the longest comments fits. */
const ANSWER_MOST_BYTES = 32 * 1_024 * 1_024;

export interface Letter {
  readonly socket: string;
  readonly path: string;
  readonly token: string;
  /** The same for every try of one message. */
  readonly id: string;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Rejects with what `node:http` says, with the signal's reason, or with a fault where socket or answer are refused. */
export async function post(letter: Letter, signal: AbortSignal): Promise<Answer> {
  verifySocket(letter.socket);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error);
    const sent = request({
      socketPath: letter.socket,
      path: letter.path,
      method: 'POST',
      // A connection of its own: the process must be able to end right after the answer.
      agent: false,
      signal,
      headers: {
        authorization: `Bearer ${letter.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(letter.body),
        'idempotency-key': letter.id,
      },
    });
    sent.on('error', fail);
    sent.on('response', (response) => {
      readAll(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail);
    });
    sent.end(letter.body);
  });
}

async function readAll(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > ANSWER_MOST_BYTES)
      throw new LegionError('daemon.defect', `the daemon's answer is larger than ${ANSWER_MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
