/** Endpoints for browser sessions, webhooks and worker verbs. */

import { z } from 'zod';
import { codeAnswer, enterAnswer, enterRequest, sessionSchema } from '../dashboard.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { actionAnswer } from '../operator.ts';
import { VERB_ANSWERS, VERB_NAMES, VERBS } from '../verb.ts';

/**
 * Enough for a code of 22 characters. The limit is small because the sender is not authenticated
 * yet.
 */
const MAX_LOGIN_BYTES = 1_024;

/** Endpoints for a browser to log in, read basic facts about the legion, and log out. */
export const sessionEndpoints = {
  createCode: {
    method: 'POST',
    path: '/session/codes',
    summary: 'create a code that opens the dashboard once, within a minute; requires the token',
    callers: ['token'],
    status: 201,
    response: codeAnswer,
  },
  enter: {
    method: 'POST',
    path: '/session',
    summary: 'log in a browser with a code instead of a token',
    callers: ['visitor'],
    body: enterRequest,
    maxBodyBytes: MAX_LOGIN_BYTES,
    status: 201,
    response: enterAnswer,
  },
  show: {
    method: 'GET',
    path: '/session',
    summary: 'basic facts about the legion that a page needs',
    response: sessionSchema,
  },
  leave: {
    method: 'DELETE',
    path: '/session',
    summary: 'log out this browser, or every browser if the request carries the token',
    response: actionAnswer,
  },
} as const satisfies EndpointGroup;

export const WEBHOOK_SERVICES = ['github', 'linear', 'slack'] as const;

/** Endpoints for reports from services and workers, each with its own authentication. */
export const reportEndpoints = {
  webhook: {
    method: 'POST',
    path: '/webhooks/:service',
    summary: 'receive an event from a service; authenticated by its signature instead of a token',
    // The operator's token is accepted only so that a misspelt service name gets a helpful error. A
    // delivery is always treated as coming from the service, even if it carries a token.
    callers: ['service', 'token'],
    params: z.strictObject({ service: z.enum(WEBHOOK_SERVICES) }),
    status: 202,
    response: z.object({ accepted: z.boolean() }),
  },
  verb: {
    method: 'POST',
    path: '/worker/:verb',
    summary:
      'call a verb as a worker; `Idempotency-Key` identifies the message, so that a retry does not repeat it',
    callers: ['worker'],
    params: z.strictObject({ verb: z.enum(VERB_NAMES) }),
    body: z.union(VERB_NAMES.map((verb) => VERBS[verb].input)),
    response: z.union(Object.values(VERB_ANSWERS)),
  },
} as const satisfies EndpointGroup;
