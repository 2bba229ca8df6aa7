/**
 * Sends one HTTP request to the daemon over its verified socket, bounded in time and size, and
 * interprets the response.
 */

import { lstatSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import { CATALOGUE, type FaultCode, LegionError, quoteText } from '../core/model/fault.ts';
import { findFolderProblem, findOwnerProblem } from '../lib/fs/folder.ts';
import { parseJson } from '../lib/json.ts';
import { errorAnswer } from '../protocol/endpoint.ts';
import type { VerbName } from '../protocol/verb.ts';
import { VERB_ANSWERS, type VerbAnswer } from '../protocol/verb.ts';

/**
 * A plain import would also load Node's `fetch` and web sockets, which takes four times as long and
 * uses 15 MB more memory.
 */
const { request } = process.getBuiltinModule('node:http');

/** Maximum size in bytes. Enough for an issue with several hundred comments of maximum length. */
const MAX_ANSWER_BYTES = 32 * 1_024 * 1_024;

export interface VerbRequest {
  readonly socket: string;
  readonly path: string;
  readonly token: string;
  /** Message id, the same for every try of one message. */
  readonly id: string;
  readonly body: string;
}

export interface DaemonResponse {
  readonly status: number;
  readonly text: string;
}

/**
 * Rejects with the `node:http` error, the signal's reason, or a fault if the socket or the response
 * is refused.
 */
export async function sendVerbRequest(
  verbRequest: VerbRequest,
  signal: AbortSignal,
): Promise<DaemonResponse> {
  verifySocket(verbRequest.socket);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(signal.aborted ? signal.reason : error);
    const httpRequest = request({
      socketPath: verbRequest.socket,
      path: verbRequest.path,
      method: 'POST',
      // Uses its own connection, so that the process can exit right after the response.
      agent: false,
      signal,
      headers: {
        authorization: `Bearer ${verbRequest.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(verbRequest.body),
        'idempotency-key': verbRequest.id,
      },
    });
    httpRequest.on('error', fail);
    httpRequest.on('response', (response) => {
      readBody(response).then((text) => resolve({ status: response.statusCode ?? 0, text }), fail);
    });
    httpRequest.end(verbRequest.body);
  });
}

async function readBody(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES)
      throw new LegionError(
        'daemon.defect',
        `the daemon's response is larger than ${MAX_ANSWER_BYTES} bytes`,
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Checks who can listen on a daemon's socket before anything secret is sent to it. In a directory
 * that only this user can enter, no other user can replace the socket between this check and the
 * connection. Throws `daemon.socket_untrusted` if another user could be listening, and `ENOENT` if
 * there is no socket.
 */
export function verifySocket(path: string): void {
  const problem =
    findFolderProblem(dirname(path)) ??
    findOwnerProblem(path, lstatSync(path), 'socket', (stats) => stats.isSocket());
  if (problem !== undefined) throw new LegionError('daemon.socket_untrusted', problem);
}

/** Interprets the daemon's response: the verb's result, or the fault it refused with. */
export function readVerbAnswer<V extends VerbName>(verb: V, answer: DaemonResponse): VerbAnswer<V> {
  const schema: z.ZodType = VERB_ANSWERS[verb];
  const decoded = decode(schema, parseJson(answer.text), `response to ${verb}`);
  if (!decoded.ok) throw new LegionError('daemon.defect', decoded.fault.message);
  return decoded.value as VerbAnswer<V>;
}

export function isRefusal(answer: DaemonResponse): boolean {
  return answer.status < 200 || answer.status > 299;
}

export function readRefusal(answer: DaemonResponse): LegionError {
  const decoded = decode(errorAnswer, parseJson(answer.text), 'answer');
  if (!decoded.ok)
    return new LegionError('daemon.defect', `the response has status ${answer.status} and no fault`);
  const { code, message } = decoded.value.error;
  return isKnownFaultCode(code)
    ? new LegionError(code, message)
    : new LegionError('daemon.defect', `the daemon refused with ${quoteText(code)}: ${message}`);
}

function isKnownFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(CATALOGUE, code);
}
