/** What a request can end with that is not an answer: always with a code and what to do next. */

export interface ApiFault {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export class ApiError extends Error {
  readonly code: string;
  readonly next: string;
  /** The HTTP status; 0 where there was no answer at all. */
  readonly status: number;

  constructor(status: number, fault: ApiFault) {
    super(fault.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = fault.code;
    this.next = fault.next;
  }
}

export function unreachable(cause: unknown): ApiError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ApiError(0, {
    code: 'page.unreachable',
    message: `The daemon does not answer (${why}).`,
    next: 'It is asked again by itself. If it stays away, run `legion up`.',
  });
}

export function misunderstood(what: string): ApiError {
  return new ApiError(0, {
    code: 'page.answer_unknown',
    message: `The daemon’s answer to ${what} is not what this page expects.`,
    next: 'Reload the page: the daemon may have been replaced by another version.',
  });
}

/** The fault in an answer that is no success. */
export function faultIn(status: number, body: unknown): ApiError {
  const { error: fault } = isObject(body) ? body : {};
  const { code, message, next } = isObject(fault) ? fault : {};
  if (typeof code === 'string' && typeof message === 'string') {
    return new ApiError(status, { code, message, next: typeof next === 'string' ? next : '' });
  }
  return new ApiError(status, {
    code: 'page.answer_unknown',
    message: `The daemon answered with status ${status} and no reason.`,
    next: 'See the daemon’s log.',
  });
}

/** The session is over: nothing but a new one helps. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
