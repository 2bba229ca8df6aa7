/** Faults of the HTTP door. */
import type { Entries } from './entry.ts';

export const HTTP_FAULTS = {
  'http.unauthorised': {
    http: 401,
    nature: 'terminal',
    meaning: 'The request carries no token this daemon knows.',
    next: 'Send the token of the legion’s state folder as `Authorization: Bearer TOKEN`; it is new at every start of the daemon.',
  },
  'http.session_needed': {
    http: 401,
    nature: 'terminal',
    meaning:
      'A page asks without a session of this daemon: there was none, it is over, or only half of its proof came.',
    next: 'Run `legion open`.',
  },
  'http.code_unknown': {
    http: 401,
    nature: 'terminal',
    meaning:
      'The code that opens the dashboard was used already, is older than a minute, or was never given out.',
    next: 'Run `legion open` for a new one.',
  },
  'http.too_many_tries': {
    http: 429,
    nature: 'retryable',
    meaning: 'So many wrong codes came in that no code is looked at for a while.',
    next: 'Run `legion open` again, or wait a minute.',
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
  'http.method_not_allowed': {
    http: 405,
    nature: 'terminal',
    meaning: 'The route exists, but not for this method.',
    next: 'Use one of the methods in the `Allow` header; see /openapi.json.',
  },
  'http.request_malformed': {
    http: 400,
    nature: 'terminal',
    meaning: 'What came in is not a well-formed HTTP request.',
    next: 'Speak HTTP/1.1 to the address in daemon.json.',
  },
  'http.request_timeout': {
    http: 408,
    nature: 'retryable',
    meaning: 'The request did not arrive completely in the time allowed.',
    next: 'Send it again, all at once.',
  },
  'http.head_too_large': {
    http: 431,
    nature: 'terminal',
    meaning: 'The request’s headers are larger than the daemon takes.',
    next: 'Send fewer or shorter headers.',
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
  'http.pages_unbuilt': {
    http: 503,
    nature: 'terminal',
    meaning: 'The dashboard of this clone could not be built; the daemon works without it.',
    next: 'Run `npm install --include=dev`, then `legion open`; until then `legion watch` shows the same.',
  },
  'http.port_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'Another program listens at the port the daemon was to use.',
    next: 'Stop that program, or set another `port` in legion.yaml and start again.',
  },
  'http.port_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon may not, or cannot, listen at the port it was given.',
    next: 'Set a `port` from 1024 to 65535 in legion.yaml; 0 takes any free one.',
  },
  'webhook.no_secret': {
    http: 403,
    nature: 'terminal',
    meaning: 'A webhook came in for a service that has no secret configured.',
    next: 'Set the service’s secret under `credentials.webhooks`; unsigned webhooks are never accepted.',
  },
  'webhook.unsigned': {
    http: 403,
    nature: 'terminal',
    meaning: 'A webhook came in without a signature, or with one that the configured secret does not give.',
    next: 'Set the same secret at the service and under `credentials.webhooks`.',
  },
  'webhook.stale': {
    http: 403,
    nature: 'terminal',
    meaning: 'A signed webhook does not say when it was sent, or was sent too long ago to be believed.',
    next: 'Check the clock of this machine. What the webhook would have told is found at the next poll.',
  },
  'webhook.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'So much of other webhooks is arriving that this one is not read.',
    next: 'Nothing has to be done: what it would have told is found at the next poll.',
  },
} as const satisfies Entries;
