/**
 * Errors in Linear's format: the type that its SDK recognises, the code, and a sentence for people.
 */

/** Code and status of each `extensions.type` that the SDK lists. */
const KINDS = {
  'invalid input': ['INPUT_ERROR', 400],
  'user error': ['INPUT_ERROR', 400],
  'graphql error': ['GRAPHQL_VALIDATION_FAILED', 400],
  'authentication error': ['AUTHENTICATION_ERROR', 401],
  forbidden: ['FORBIDDEN', 403],
  ratelimited: ['RATELIMITED', 400],
  'usage limit exceeded': ['USAGE_LIMIT_EXCEEDED', 400],
  'feature not accessible': ['FEATURE_NOT_ACCESSIBLE', 403],
  'lock timeout': ['LOCK_TIMEOUT', 503],
  'internal error': ['INTERNAL_SERVER_ERROR', 500],
  'network error': ['INTERNAL_SERVER_ERROR', 500],
  'bootstrap error': ['INTERNAL_SERVER_ERROR', 500],
  unknown: ['INTERNAL_SERVER_ERROR', 500],
  other: ['INTERNAL_SERVER_ERROR', 500],
} as const satisfies Record<string, readonly [code: string, status: number]>;

export type RefusalType = keyof typeof KINDS;

/** Fields of an error besides its message. */
export interface RefusalExtensions {
  readonly type: RefusalType;
  readonly code: string;
  readonly statusCode: number;
  readonly userError: boolean;
  readonly userPresentableMessage?: string;
}

export class LinearRefusal extends Error {
  readonly extensions: RefusalExtensions;

  /** `presentable` is the text that Linear's own app would show. */
  constructor(type: RefusalType, message: string, presentable = message) {
    super(message);
    const [code, statusCode] = KINDS[type];
    this.extensions = {
      type,
      code,
      statusCode,
      userError: statusCode < 500,
      userPresentableMessage: presentable,
    };
  }
}

/** Not a Linear error: the simulator does not implement the feature. */
export class NotSimulated extends Error {
  readonly extensions: RefusalExtensions = {
    type: 'graphql error',
    code: 'NOT_SIMULATED',
    statusCode: 501,
    userError: false,
  };
}

export function isRefusalType(type: string): type is RefusalType {
  return Object.hasOwn(KINDS, type);
}

export function toInvalidInput(presentable: string): LinearRefusal {
  return new LinearRefusal('invalid input', 'Argument Validation Error', presentable);
}

/** Missing nodes and nodes that the requester may not see cause the same error. */
export function toNotFound(entity: string): LinearRefusal {
  return new LinearRefusal(
    'invalid input',
    `Entity not found: ${entity}`,
    `Could not find referenced ${entity}.`,
  );
}

export function toForbidden(message: string): LinearRefusal {
  return new LinearRefusal('forbidden', message);
}
