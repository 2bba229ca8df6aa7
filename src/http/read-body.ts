/** Reads the body of a request, bounded in size: its bytes, or its JSON with a word on what is wrong with it. */
import type { IncomingMessage } from 'node:http';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import { MESSAGE_MOST_BYTES } from '../protocol/outbox.ts';

/** What a worker may keep in its outbox, the daemon must be able to take in. */
const BODY_MOST_BYTES = MESSAGE_MOST_BYTES;

/** No body at all is an empty object: many requests have nothing to say but that they are made. */
export async function readBody(incoming: IncomingMessage, most = BODY_MOST_BYTES): Promise<unknown> {
  const bytes = await readBytes(incoming, most);
  if (bytes.length === 0) return {};
  const type = incoming.headers['content-type'] ?? 'no type';
  if (!/^application\/json *(?:;|$)/i.test(type)) {
    throw new LegionError('http.body_invalid', `the body is of type ${shown(type)}, not application/json`);
  }
  try {
    // Bytes that are no text are refused: replaced by marks, they would be stored as something nobody sent.
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new LegionError('http.body_invalid', `the body of ${bytes.length} bytes is not JSON`, {
      cause: error,
    });
  }
}

export interface Reading {
  /** Ends the reading with its reason. */
  readonly signal?: AbortSignal;
  /** Called for every part that arrives. */
  readonly onBytes?: (bytes: number) => void;
}

/** Leaves the connection open when it ends early: the refusal goes out over the same one. */
export function readBytes(incoming: IncomingMessage, most: number, reading: Reading = {}): Promise<Buffer> {
  const { signal, onBytes } = reading;
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      detach();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) fail(tooLarge(most));
      else onBytes?.(chunk.length);
    };
    const onEnd = () => {
      detach();
      resolve(Buffer.concat(chunks));
    };
    const onClose = (cause?: unknown) =>
      fail(new LegionError('http.request_malformed', 'the request ended before its body did', { cause }));
    const onAbort = () => fail(signal?.reason);
    const detach = () => {
      incoming.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
      signal?.removeEventListener('abort', onAbort);
      // What still arrives is dropped.
      incoming.on('error', () => undefined).resume();
    };
    if (Number(incoming.headers['content-length'] ?? 0) > most) fail(tooLarge(most));
    else if (signal?.aborted === true) onAbort();
    else if (incoming.destroyed && !incoming.readableEnded) onClose();
    else {
      signal?.addEventListener('abort', onAbort, { once: true });
      incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
    }
  });
}

function tooLarge(most: number): LegionError {
  return new LegionError('http.body_too_large', `the body is larger than ${most} bytes`);
}
