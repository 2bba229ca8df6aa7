/** Gives a hint a little later for a branch whose mergeability GitHub is still working out: no webhook tells when it is known. */
import type { Clock } from '../../domain/clock.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';

/** GitHub mostly knows within seconds of being asked: 2, 4, 8, 16, 32 s; after that the ordinary polls have to do. */
const FIRST_WAIT_MS = 2_000;
const TRIES_MAX = 5;

export interface LookAgain {
  /** After each look. */
  saw(found: ReadonlyMap<string, ForgePullRequest | 'unknown'>): void;
}

export function lookAgain(clock: Clock, emit: (branch: string) => void, closing: AbortSignal): LookAgain {
  const waiting = new Map<string, { tries: number; isAsleep: boolean }>();

  async function wait(branch: string): Promise<void> {
    const state = waiting.get(branch) ?? { tries: 0, isAsleep: false };
    if (state.isAsleep || state.tries >= TRIES_MAX) return;
    waiting.set(branch, state);
    state.isAsleep = true;
    try {
      await clock.sleep(FIRST_WAIT_MS * 2 ** state.tries, closing);
      emit(branch);
    } catch {
      // It was closed.
    } finally {
      state.isAsleep = false;
      state.tries += 1;
    }
  }

  return {
    saw(found) {
      for (const [branch, each] of found) {
        if (each === 'unknown') continue;
        if (each.mergeable === 'unknown') void wait(branch);
        else waiting.delete(branch);
      }
    },
  };
}
