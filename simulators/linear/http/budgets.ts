/**
 * Tracks each account's request and complexity limits in leaky buckets, and writes the rate limit
 * headers.
 */
import type { LinearWorld } from '../model/world.ts';
import type { BudgetAllowance } from '../simulator.ts';

export type BudgetResource = 'requests' | 'complexity';

/** Linear's hourly limits for a personal key. */
const LIMITS: Readonly<Record<BudgetResource, number>> = { requests: 5000, complexity: 3_000_000 };
const PERIOD_MS = 3_600_000;

interface BudgetBucket {
  used: number;
  at: number;
}

export interface BudgetStanding {
  readonly limit: number;
  readonly remaining: number;
  /** Time at which the bucket is full again, in milliseconds. */
  readonly resetAt: number;
}

export class RequestBudgets {
  readonly #world: LinearWorld;
  readonly #buckets = new Map<string, BudgetBucket>();
  readonly #limits: Record<BudgetResource, number> = { ...LIMITS };
  readonly #first: Record<BudgetResource, number> = { requests: 0, complexity: 0 };

  constructor(world: LinearWorld) {
    this.#world = world;
  }

  /** Sets the limit and the remaining budget of every account. */
  set(resource: BudgetResource, { limit, remaining = limit }: BudgetAllowance): void {
    this.#limits[resource] = limit;
    this.#first[resource] = limit - remaining;
    for (const key of this.#buckets.keys()) if (key.startsWith(resource)) this.#buckets.delete(key);
  }

  standing(account: string, resource: BudgetResource): BudgetStanding {
    const limit = this.#limits[resource];
    const { used, at } = this.#bucket(account, resource);
    return {
      limit,
      remaining: Math.max(0, Math.floor(limit - used)),
      resetAt: Math.ceil(at + (used / limit) * PERIOD_MS),
    };
  }

  /** Takes from both buckets or from neither. Returns the exhausted resource, if any. */
  take(account: string, complexity: number): BudgetResource | undefined {
    const wanted: [BudgetResource, number][] = [
      ['requests', 1],
      ['complexity', complexity],
    ];
    for (const [resource, amount] of wanted) {
      if (this.#bucket(account, resource).used + amount > this.#limits[resource]) return resource;
    }
    for (const [resource, amount] of wanted) this.#bucket(account, resource).used += amount;
    return undefined;
  }

  /** Refills evenly: one whole limit per hour. */
  #bucket(account: string, resource: BudgetResource): BudgetBucket {
    const key = `${resource} ${account}`;
    const now = this.#world.now();
    const bucket = this.#buckets.get(key) ?? { used: this.#first[resource], at: now };
    const refilled = ((now - bucket.at) / PERIOD_MS) * this.#limits[resource];
    bucket.used = Math.max(0, bucket.used - refilled);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

export function toBudgetHeaders(
  budgets: RequestBudgets,
  account: string,
  complexity = 0,
): Record<string, string> {
  const resources: readonly BudgetResource[] = ['requests', 'complexity'];
  const told = resources.flatMap((resource) => {
    const { limit, remaining, resetAt } = budgets.standing(account, resource);
    return Object.entries({ limit, remaining, reset: resetAt }).map(([name, value]): [string, string] => [
      `x-ratelimit-${resource}-${name}`,
      String(value),
    ]);
  });
  return { 'x-complexity': String(complexity), ...Object.fromEntries(told) };
}
