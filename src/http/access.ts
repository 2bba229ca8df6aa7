/** Decides who may use an endpoint: each names its kinds of callers, and everybody else is refused. */
import { LegionError } from '../domain/fault.ts';
import type { CallerKind } from '../protocol/endpoint.ts';
import type { Caller } from './caller.ts';

const OPERATOR: readonly CallerKind[] = ['token', 'session'];

/** Unknown paths are the operator's as well: nobody else learns which endpoints exist. */
export function requireCaller(caller: Caller, allowed: readonly CallerKind[] = OPERATOR): void {
  const kind = toCallerKind(caller);
  if (!allowed.includes(kind)) throw new LegionError('http.forbidden', REFUSALS[kind]);
}

function toCallerKind(caller: Caller): CallerKind {
  if (caller.is === 'operator') return caller.session === undefined ? 'token' : 'session';
  return caller.is;
}

const REFUSALS: Readonly<Record<CallerKind, string>> = {
  token: 'the operator’s token speaks neither for a worker nor for a browser',
  // A session that could make codes could make itself a successor, and would never end.
  session: 'a session of a browser may not do this; codes are given out for the operator’s token only',
  visitor: 'a page without a session reaches POST /session only',
  worker: 'a worker’s token reaches POST /worker/VERB only',
  service: 'a service reaches its own webhook only',
};
