/** Faults of the HTTP server. */

export const HTTP_FAULTS = {
  'http.unauthorised': {
    http: 401,
    nature: 'terminal',
    meaning: 'The request has no token, or a token that this daemon does not recognise.',
    next: 'Send the token from the legion’s state directory as `Authorization: Bearer TOKEN`. The token changes whenever the daemon starts.',
  },
  'http.session_needed': {
    http: 401,
    nature: 'terminal',
    meaning:
      'The browser has no valid session with this daemon: the session is missing, expired or incomplete.',
    next: 'Run `legion open` to log in again.',
  },
  'http.code_unknown': {
    http: 401,
    nature: 'terminal',
    meaning: 'The dashboard login code was already used, is older than a minute, or is unknown.',
    next: 'Run `legion open` to get a new code.',
  },
  'http.too_many_tries': {
    http: 429,
    nature: 'retryable',
    meaning: 'Too many wrong login codes were entered, so no code is accepted for a while.',
    next: 'Run `legion open` again, or wait a minute.',
  },
  'http.foreign_host': {
    http: 403,
    nature: 'terminal',
    meaning: 'The request was addressed to a host name that this daemon does not serve.',
    next: 'Use the address in daemon.json. Pages from other origins are not allowed to send requests to the daemon.',
  },
  'http.forbidden': {
    http: 403,
    nature: 'terminal',
    meaning: 'The token does not grant access to this route.',
    next: 'A worker’s token grants access only to its own verbs. Use the operator’s token for everything else.',
  },
  'http.route_unknown': {
    http: 404,
    nature: 'terminal',
    meaning: 'The route does not exist.',
    next: 'See /openapi.json for every route.',
  },
  'http.method_not_allowed': {
    http: 405,
    nature: 'terminal',
    meaning: 'The route does not support this method.',
    next: 'Use one of the methods in the `Allow` header; see /openapi.json.',
  },
  'http.request_malformed': {
    http: 400,
    nature: 'terminal',
    meaning: 'The daemon received data that is not a well-formed HTTP request.',
    next: 'Send HTTP/1.1 to the address in daemon.json.',
  },
  'http.request_timeout': {
    http: 408,
    nature: 'retryable',
    meaning: 'The request did not arrive completely within the time limit.',
    next: 'Send the request again, without pauses.',
  },
  'http.head_too_large': {
    http: 431,
    nature: 'terminal',
    meaning: 'The request’s headers exceed the size limit.',
    next: 'Send fewer or shorter headers.',
  },
  'http.body_too_large': {
    http: 413,
    nature: 'terminal',
    meaning: 'The request’s body exceeds the size limit.',
    next: 'Send a smaller body. The message states the limit.',
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
    meaning: 'The maximum number of event streams is already open.',
    next: 'Close a stream that is no longer needed, then try again.',
  },
  'http.pages_unbuilt': {
    http: 503,
    nature: 'terminal',
    meaning:
      'The dashboard could not be built in this clone of Legion. The daemon works without the dashboard.',
    next: 'Run `npm install --include=dev` in the clone, then `legion open`. Until then, `legion watch` shows the same information.',
  },
  'http.port_taken': {
    http: 409,
    nature: 'terminal',
    meaning: 'Another program is already listening on the daemon’s port.',
    next: 'Stop that program, or set another `port` in legion.yaml, then start the daemon again.',
  },
  'http.port_unusable': {
    http: 500,
    nature: 'terminal',
    meaning: 'The daemon cannot listen on its configured port, or is not permitted to.',
    next: 'Set a `port` from 1024 to 65535 in legion.yaml, or 0 for any free port.',
  },
  'webhook.no_secret': {
    http: 403,
    nature: 'terminal',
    meaning: 'A webhook arrived for a service that has no secret configured.',
    next: 'Set the service’s secret under `credentials.webhooks`. Unsigned webhooks are never accepted.',
  },
  'webhook.unsigned': {
    http: 403,
    nature: 'terminal',
    meaning: 'A webhook has no signature, or its signature does not match the configured secret.',
    next: 'Set the same secret in the service’s webhook settings and under `credentials.webhooks`.',
  },
  'webhook.stale': {
    http: 403,
    nature: 'terminal',
    meaning: 'A signed webhook has no timestamp, or its timestamp is too old.',
    next: 'Check this machine’s clock. The next poll finds the change that the webhook announced.',
  },
  'webhook.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Too many webhooks are arriving at once, so the daemon did not read this one.',
    next: 'Nothing to do: the next poll finds the change that the webhook announced.',
  },
} as const;

/** Faults of the journal. */
export const JOURNAL_FAULTS = {
  'journal.conflict': {
    http: 409,
    nature: 'retryable',
    meaning: 'The journal has new events that the writer has not read. Nothing was written.',
    next: 'Read the new events, decide again, then append.',
  },
  'journal.fenced': {
    http: 409,
    nature: 'terminal',
    meaning: 'A newer leader has taken over this legion. Nothing was written.',
    next: 'Stop this daemon. The newer leader continues the work.',
  },
  'journal.newer': {
    http: 409,
    nature: 'terminal',
    meaning: 'The journal was written by a newer Legion version. Nothing was written.',
    next: 'Use the Legion version that wrote the journal, or a newer one.',
  },
  'journal.missing': {
    http: 404,
    nature: 'terminal',
    meaning: 'This path does not contain a journal.',
    next: 'Check the path. A legion creates its journal when it first starts.',
  },
  'journal.foreign': {
    http: 409,
    nature: 'terminal',
    meaning: 'The file is not a Legion journal. Nothing was written.',
    next: 'Use a file created by Legion, or a path that does not exist yet.',
  },
  'journal.corrupt': {
    http: 500,
    nature: 'terminal',
    meaning: 'A row of the journal cannot be decoded as an event. Nothing was changed.',
    next: 'Do not change the file. Restore a backup, or replay the journal up to the row before the one in the message.',
  },
  'journal.full': {
    http: 507,
    nature: 'retryable',
    meaning:
      'The disk is full. The append was rolled back, and all previously acknowledged events are intact.',
    next: 'Free some disk space. Legion continues by itself.',
  },
  'journal.read_only': {
    http: 500,
    nature: 'terminal',
    meaning: 'The journal cannot be written: the file or its directory is read-only.',
    next: 'Make the file and its directory writable for the user running Legion.',
  },
  'journal.busy': {
    http: 503,
    nature: 'retryable',
    meaning: 'Another process kept the journal locked for too long. Nothing was written.',
    next: 'Try again. If the error persists, find the process that has the file open.',
  },
  'journal.unavailable': {
    http: 503,
    nature: 'retryable',
    meaning: 'The journal could not be opened, read or written.',
    next: 'Fix the cause in the message. No acknowledged event is lost.',
  },
  'journal.closed': {
    http: 500,
    nature: 'terminal',
    meaning: 'The journal was used after it was closed.',
    next: 'This is a bug in Legion. Please report it together with the message.',
  },
} as const;
