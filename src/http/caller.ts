/** Who speaks: the operator, one attempt of a worker, a service, or somebody unknown. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Speech, WebhookService, WorkerIdentity } from '../daemon/daemon.ts';
import { LegionError } from '../domain/fault.ts';

export type Caller =
  | { readonly is: 'operator' }
  | { readonly is: 'worker'; readonly worker: WorkerIdentity }
  /** As it says itself; whether that is so, only its signature shows. */
  | { readonly is: 'service'; readonly service: WebhookService };

/** RFC 6750: the scheme's name in any case, then the token. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Returns the way to tell by an `Authorization` header who the caller is; an unknown one is refused. */
export function callers(
  operatorToken: string,
  speech: Speech,
): (authorization: string | undefined) => Caller {
  const expected = digest(operatorToken);
  return (authorization = '') => {
    const [, token] = BEARER.exec(authorization) ?? [];
    if (token === undefined) throw unauthorised('the request carries no bearer token');
    // Digests are of one length, so that neither the time taken nor the length says anything about the token.
    if (timingSafeEqual(digest(token), expected)) return { is: 'operator' };
    const worker = speech.identify(token);
    if (worker === undefined) throw unauthorised('the token is none of this legion');
    return { is: 'worker', worker };
  };
}

/** A worker's token reaches its own verbs, a service its own webhook, and nothing else; the operator's reaches everything else. */
export function refuseOutOfReach(caller: Caller, method: string, path: string): void {
  const isVerb = path === '/worker' || path.startsWith('/worker/');
  if (caller.is === 'operator' && isVerb) {
    throw new LegionError('http.forbidden', 'the operator’s token does not speak for a worker');
  }
  if (caller.is === 'worker' && !(isVerb && method === 'POST')) {
    throw new LegionError('http.forbidden', 'a worker’s token reaches POST /worker/VERB only');
  }
  if (caller.is === 'service' && path !== `/webhooks/${caller.service}`) {
    throw new LegionError('http.forbidden', 'a service reaches its own webhook only');
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function unauthorised(why: string): LegionError {
  return new LegionError('http.unauthorised', why);
}
