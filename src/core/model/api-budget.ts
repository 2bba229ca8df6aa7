/** What a service still lets an account ask of it, until when. */
export interface ApiBudget {
  readonly limit: number;
  readonly remaining: number;
  /** When it is whole again, in milliseconds since 1970. */
  readonly resetsAt: number;
  /** It comes back bit by bit until then, not all at once. */
  readonly evenly?: true;
}
