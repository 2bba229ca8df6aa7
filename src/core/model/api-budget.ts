/** An account's remaining request budget at a service. */
export interface ApiBudget {
  readonly limit: number;
  readonly remaining: number;
  /** When the full budget is available again, in milliseconds since 1970. */
  readonly resetsAt: number;
  /** True if the budget refills gradually until `resetsAt`, not all at once. */
  readonly evenly?: true;
}
