/** The error of a failed request. It always has a code and a next step. */

export interface ApiFault {
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

export class ApiError extends Error {
  readonly code: string;
  readonly next: string;
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;

  constructor(status: number, fault: ApiFault) {
    super(fault.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = fault.code;
    this.next = fault.next;
  }
}

export function toUnreachableError(cause: unknown): ApiError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ApiError(0, {
    code: 'page.unreachable',
    message: `The daemon is not responding (${why}).`,
    next: 'Retrying automatically. If it stays unreachable, run `legion up`.',
  });
}

export function toUnexpectedAnswerError(request: string): ApiError {
  return new ApiError(0, {
    code: 'page.answer_unknown',
    message: `The daemon’s response to ${request} has an unexpected format.`,
    next: 'Reload the page: the daemon may have been replaced by another version.',
  });
}

/** Extracts the fault from an unsuccessful response. */
export function parseApiError(status: number, body: unknown): ApiError {
  const { error: fault } = isObject(body) ? body : {};
  const { code, message, next } = isObject(fault) ? fault : {};
  if (typeof code === 'string' && typeof message === 'string') {
    return new ApiError(status, { code, message, next: typeof next === 'string' ? next : '' });
  }
  return new ApiError(status, {
    code: 'page.answer_unknown',
    message: `The daemon responded with status ${status} and gave no reason.`,
    next: 'See the daemon’s log.',
  });
}

/** Returns whether the session has ended. If so, the person has to log in again. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
