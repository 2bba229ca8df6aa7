/** Who may use a route: each route names its kinds of callers, and everybody else is refused. */
import { LegionError } from '../domain/fault.ts';
import type { Caller } from './caller.ts';

/**
 * - `token`: the operator's token.
 * - `session`: a browser that is logged in.
 * - `visitor`: a page that has nothing yet but, perhaps, a code.
 * - `worker`: the token of one attempt.
 * - `service`: a webhook, which its signature has still to prove.
 */
export type CallerKind = 'token' | 'session' | 'visitor' | 'worker' | 'service';

/** Of a route that names none. */
export const OPERATOR: readonly CallerKind[] = ['token', 'session'];

function kindOfCaller(caller: Caller): CallerKind {
  if (caller.is === 'operator') return caller.session === undefined ? 'token' : 'session';
  return caller.is;
}

/** `allowed` is undefined where there is no such route: only an operator is told so. */
export function refuseOutOfReach(caller: Caller, allowed: readonly CallerKind[] | undefined): void {
  const kind = kindOfCaller(caller);
  if ((allowed ?? OPERATOR).includes(kind)) return;
  throw new LegionError('http.forbidden', REFUSALS[kind]);
}

const REFUSALS: Readonly<Record<CallerKind, string>> = {
  token: 'the operator’s token speaks neither for a worker nor for a browser',
  // A session that could make codes could make itself a successor, and would never end.
  session: 'a session of a browser may not do this; codes are given out for the operator’s token only',
  visitor: 'a page without a session reaches POST /session only',
  worker: 'a worker’s token reaches POST /worker/VERB only',
  service: 'a service reaches its own webhook only',
};
