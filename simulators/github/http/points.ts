/** Tracks each account's hourly rate limit points and writes the rate limit headers. */
import type { GithubWorld } from '../model/world.ts';

/** GitHub's hourly limit. */
const LIMIT = 5000;
const WINDOW_SECONDS = 3600;

export type RateLimitResource = 'graphql' | 'core';

export interface RateLimitStanding {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  readonly resetAt: number;
}

export class RateLimitPoints {
  readonly #world: GithubWorld;
  readonly #windows = new Map<string, { used: number; resetAt: number }>();
  #limit = LIMIT;

  constructor(world: GithubWorld) {
    this.#world = world;
  }

  /** Sets the limit and the remaining points of every account. */
  set(limit: number, remaining = limit): void {
    this.#limit = limit;
    this.#windows.clear();
    this.#first = limit - remaining;
  }

  #first = 0;

  standing(login: string, resource: RateLimitResource): RateLimitStanding {
    const window = this.#window(login, resource);
    const used = Math.min(window.used, this.#limit);
    return { limit: this.#limit, used, remaining: this.#limit - used, resetAt: window.resetAt };
  }

  /** Takes the points. Returns false and takes nothing if too few are left. */
  take(login: string, resource: RateLimitResource, cost: number): boolean {
    const window = this.#window(login, resource);
    if (window.used + cost > this.#limit) return false;
    window.used += cost;
    return true;
  }

  #window(login: string, resource: RateLimitResource): { used: number; resetAt: number } {
    const key = `${resource} ${login}`;
    const now = this.#world.now();
    const known = this.#windows.get(key);
    if (known !== undefined && known.resetAt > now) return known;
    // The remaining points set by `set` apply only to the first window of an account. Every later
    // window starts full.
    const window = { used: known === undefined ? this.#first : 0, resetAt: now + WINDOW_SECONDS };
    this.#windows.set(key, window);
    return window;
  }
}

export function toRateLimitHeaders(
  standing: RateLimitStanding,
  resource: RateLimitResource,
): Record<string, string> {
  return {
    'x-ratelimit-limit': String(standing.limit),
    'x-ratelimit-remaining': String(standing.remaining),
    'x-ratelimit-used': String(standing.used),
    'x-ratelimit-reset': String(standing.resetAt),
    'x-ratelimit-resource': resource,
  };
}
