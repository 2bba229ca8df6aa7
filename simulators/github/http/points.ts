/** Points of each account, an hour at a time, and the headers that tell of them. */
import type { World } from '../model/world.ts';

/** As GitHub grants them. */
const LIMIT = 5000;
const WINDOW_SECONDS = 3600;

export type Resource = 'graphql' | 'core';

export interface Standing {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  readonly resetAt: number;
}

export class Points {
  readonly #world: World;
  readonly #windows = new Map<string, { used: number; resetAt: number }>();
  #limit = LIMIT;

  constructor(world: World) {
    this.#world = world;
  }

  /** From now on for every account, with this much of it left. */
  set(limit: number, remaining = limit): void {
    this.#limit = limit;
    this.#windows.clear();
    this.#first = limit - remaining;
  }

  #first = 0;

  standing(login: string, resource: Resource): Standing {
    const window = this.#window(login, resource);
    const used = Math.min(window.used, this.#limit);
    return { limit: this.#limit, used, remaining: this.#limit - used, resetAt: window.resetAt };
  }

  /** False where there are not enough left; then nothing is taken. */
  take(login: string, resource: Resource, cost: number): boolean {
    const window = this.#window(login, resource);
    if (window.used + cost > this.#limit) return false;
    window.used += cost;
    return true;
  }

  #window(login: string, resource: Resource): { used: number; resetAt: number } {
    const key = `${resource} ${login}`;
    const now = this.#world.now();
    const known = this.#windows.get(key);
    if (known !== undefined && known.resetAt > now) return known;
    // What was set as left counts for the window that is open; the next one is full.
    const window = { used: known === undefined ? this.#first : 0, resetAt: now + WINDOW_SECONDS };
    this.#windows.set(key, window);
    return window;
  }
}

export function pointHeaders(standing: Standing, resource: Resource): Record<string, string> {
  return {
    'x-ratelimit-limit': String(standing.limit),
    'x-ratelimit-remaining': String(standing.remaining),
    'x-ratelimit-used': String(standing.used),
    'x-ratelimit-reset': String(standing.resetAt),
    'x-ratelimit-resource': resource,
  };
}
