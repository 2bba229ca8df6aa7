/** Faults of the HTTP door. */
import type { Entries } from './entry.ts';

export const HTTP_FAULTS = {
  'http.unauthorised': {
    http: 401,
    nature: 'terminal',
    meaning: 'The request carries no token this daemon knows.',
    next: 'Send the token of the legion’s state folder as `Authorization: Bearer TOKEN`.',
  },
  'http.foreign_host': {
    http: 403,
    nature: 'terminal',
    meaning: 'The request was addressed to a name this daemon does not answer to.',
    next: 'Use the address in daemon.json; a page of another origin may not speak to the daemon.',
  },
  'http.forbidden': {
    http: 403,
    nature: 'terminal',
    meaning: 'The token does not reach this route.',
    next: 'A worker’s token reaches only its own verbs; use the operator’s token for everything else.',
  },
  'http.route_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'There is no such route.',
    next: 'See /openapi.json for every route.',
  },
  'http.body_too_large': {
    http: 413,
    nature: 'terminal',
    meaning: 'The request’s body is larger than the daemon takes.',
    next: 'Send less; the message has the limit.',
  },
  'http.body_invalid': {
    http: 400,
    nature: 'terminal',
    meaning: 'The request’s body is not JSON.',
    next: 'Send a JSON object with `Content-Type: application/json`.',
  },
  'http.too_many_streams': {
    http: 503,
    nature: 'retryable',
    meaning: 'As many event streams are open as the daemon allows.',
    next: 'Close one that is not needed.',
  },
  'webhook.no_secret': {
    http: 403,
    nature: 'terminal',
    meaning: 'A webhook came in for a service that has no secret configured.',
    next: 'Set the service’s secret under `credentials.webhooks`; unsigned webhooks are never accepted.',
  },
} as const satisfies Entries;
