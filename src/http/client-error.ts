/** Answers bytes that Node cannot read as a request: there is only a socket to answer on. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { LegionError } from '../domain/fault.ts';
import { toRefusal } from './refusal.ts';

export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // After an earlier response on this connection, the client could not tell what this one belongs to.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toRefusal(toFault(error.code));
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
}

function toFault(code: string | undefined): LegionError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new LegionError('http.request_timeout', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return new LegionError('http.head_too_large', 'the request’s headers are too large');
    default:
      return new LegionError('http.request_malformed', 'this is no HTTP request');
  }
}
