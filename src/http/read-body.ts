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

export async function readBytes(incoming: IncomingMessage, most: number): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Kept open when the reading ends early: the refusal goes out over the same socket.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) throw tooLarge(most);
    }
  } catch (error) {
    if (error instanceof LegionError) throw error;
    throw new LegionError('http.request_malformed', 'the request ended before its body did', {
      cause: error,
    });
  }
  return Buffer.concat(chunks);
}

function tooLarge(most: number): LegionError {
  return new LegionError('http.body_too_large', `the body is larger than ${most} bytes`);
}
