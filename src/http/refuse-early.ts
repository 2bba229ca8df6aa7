/** Answers for requests that never reach a route: refused by a guard, or not well-formed enough to have one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LegionError } from '../domain/fault.ts';
import type { Answer } from './answer.ts';
import { codedAnswer } from './fault-answer.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');
const NOT_MODIFIED = 304;

/** Long enough to read an answer that came before the end of the request; what sends on is cut off. */
export const LINGER_MS = 2_000;

export function sendAnswer(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  // What has begun as one answer cannot become another; the caller sees that it was cut off.
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  // "Not modified" has no body, and its length would be said of the one that is kept.
  const length = status === NOT_MODIFIED ? {} : { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length });
  outgoing.end(body);
  closeUnlessComplete(outgoing.req);
}

/** Cutting the connection at once could take the answer away with it; waiting without a bound would keep it for ever. */
function closeUnlessComplete(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  const { socket } = incoming;
  const cut = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const forget = () => clearTimeout(cut);
  incoming.resume().once('end', forget);
  socket.once('close', forget);
}

/** Node could not read a request from this socket: there is no request to answer, only the socket. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // After an earlier answer of the same connection nobody could tell what these bytes belong to.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = codedAnswer(faultOf(error.code));
  const head = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n${body}`);
}

function faultOf(code: string | undefined): LegionError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new LegionError('http.request_timeout', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return new LegionError('http.head_too_large', 'the request’s headers are too large');
    default:
      return new LegionError('http.request_malformed', 'this is no HTTP request');
  }
}
