/** A refusal in GitHub's own words, with the kind that its `errors[].type` carries. */
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
  /** Not GitHub's: the simulator lacks it, and says so loudly. */
  | 'NOT_SIMULATED';

export class GithubRefusal extends Error {
  readonly type: FaultType;

  constructor(type: FaultType, message: string) {
    super(message);
    this.type = type;
  }
}

export function unprocessable(message: string): GithubRefusal {
  return new GithubRefusal('UNPROCESSABLE', message);
}
