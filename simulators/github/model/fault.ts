/** An error with GitHub's own message and the type that GitHub reports in `errors[].type`. */
export type FaultType =
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'UNPROCESSABLE'
  | 'INSUFFICIENT_SCOPES'
  | 'RATE_LIMITED'
  | 'EXCESSIVE_PAGINATION'
  | 'MISSING_PAGINATION_BOUNDARIES'
  | 'INVALID_CURSOR_ARGUMENTS'
  | 'MAX_NODE_LIMIT_EXCEEDED'
  | 'SERVICE_UNAVAILABLE'
  /** Not a GitHub type: the simulator does not implement the feature. */
  | 'NOT_SIMULATED';

export class GithubRefusal extends Error {
  readonly type: FaultType;

  constructor(type: FaultType, message: string) {
    super(message);
    this.type = type;
  }
}

export function toUnprocessable(message: string): GithubRefusal {
  return new GithubRefusal('UNPROCESSABLE', message);
}
