/** What services and workers report, each with a proof of its own. */
import { z } from 'zod';
import type { EndpointGroup } from '../endpoint.ts';
import { VERB_NAMES, VERBS } from '../verb.ts';
import { VERB_ANSWERS } from '../verb-answer.ts';

export const WEBHOOK_SERVICES = ['github', 'linear', 'slack'] as const;

export const reportEndpoints = {
  webhook: {
    method: 'POST',
    path: '/webhooks/:service',
    summary: 'a service says that something has happened; its signature is the proof, in place of a token',
    // The operator learns of a misspelt service; a delivery is always a service's, whatever token it has.
    callers: ['service', 'token'],
    params: z.strictObject({ service: z.enum(WEBHOOK_SERVICES) }),
    status: 202,
    response: z.object({ accepted: z.boolean() }),
  },
  verb: {
    method: 'POST',
    path: '/worker/:verb',
    summary:
      'say something as a worker; `Idempotency-Key` names the message, so that a second try is no second message',
    callers: ['worker'],
    params: z.strictObject({ verb: z.enum(VERB_NAMES) }),
    body: z.union(VERB_NAMES.map((verb) => VERBS[verb].input)),
    response: z.union(Object.values(VERB_ANSWERS)),
  },
} as const satisfies EndpointGroup;
