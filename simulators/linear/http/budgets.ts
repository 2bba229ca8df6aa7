/** Requests and complexity of each account in leaky buckets, and the headers that tell of them. */
import type { World } from '../model/world.ts';
import type { Allowance } from '../simulator.ts';

export type Resource = 'requests' | 'complexity';

/** What Linear grants a personal key, by the hour. */
const LIMITS: Readonly<Record<Resource, number>> = { requests: 5000, complexity: 3_000_000 };
const PERIOD_MS = 3_600_000;

interface Bucket {
  used: number;
  at: number;
}

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  /** When all of it is there again, in milliseconds. */
  readonly resetAt: number;
}

export class Budgets {
  readonly #world: World;
  readonly #buckets = new Map<string, Bucket>();
  readonly #limits: Record<Resource, number> = { ...LIMITS };
  readonly #first: Record<Resource, number> = { requests: 0, complexity: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  /** From now on for every account, with this much of it left. */
  set(resource: Resource, { limit, remaining = limit }: Allowance): void {
    this.#limits[resource] = limit;
    this.#first[resource] = limit - remaining;
    for (const key of this.#buckets.keys()) if (key.startsWith(resource)) this.#buckets.delete(key);
  }

  standing(account: string, resource: Resource): Standing {
    const limit = this.#limits[resource];
    const { used, at } = this.#bucket(account, resource);
    return {
      limit,
      remaining: Math.max(0, Math.floor(limit - used)),
      resetAt: Math.ceil(at + (used / limit) * PERIOD_MS),
    };
  }

  /** Of both or of none; the one that there is too little of is told. */
  take(account: string, complexity: number): Resource | undefined {
    const wanted: [Resource, number][] = [
      ['requests', 1],
      ['complexity', complexity],
    ];
    for (const [resource, amount] of wanted) {
      if (this.#bucket(account, resource).used + amount > this.#limits[resource]) return resource;
    }
    for (const [resource, amount] of wanted) this.#bucket(account, resource).used += amount;
    return undefined;
  }

  /** Flows back evenly: a whole limit an hour. */
  #bucket(account: string, resource: Resource): Bucket {
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

export function budgetHeaders(budgets: Budgets, account: string, complexity = 0): Record<string, string> {
  const resources: readonly Resource[] = ['requests', 'complexity'];
  const told = resources.flatMap((resource) => {
    const { limit, remaining, resetAt } = budgets.standing(account, resource);
    return Object.entries({ limit, remaining, reset: resetAt }).map(([name, value]): [string, string] => [
      `x-ratelimit-${resource}-${name}`,
      String(value),
    ]);
  });
  return { 'x-complexity': String(complexity), ...Object.fromEntries(told) };
}
