/** Writes down what an attempt uses up, so that budgets hold across daemons: seldom while it works, surely at its end. */
import type { EventBody } from '../../domain/event.ts';
import { workerId } from '../../domain/ids.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import type { Swarm } from '../../swarm/state.ts';
import type { World } from '../world.ts';
import type { Trace } from './trace.ts';
import type { Attempt } from './watch-attempt.ts';

/** As long as this an amount may be spent without the journal knowing; more often would be a durable write for every word. */
const SELDOM_MS = 10_000;

export interface SpendingNotes {
  /** Resolves to whether something was written that a budget may be held against. */
  heard(event: 'usage' | 'turn ended', usage: Trace['usage']): Promise<boolean>;
  /** For the append that writes its end. */
  atEnd(swarm: Swarm, usage: Trace['usage']): EventBody[];
}

export function spendingNotes(world: World, { issue, mode, attempt }: Attempt): SpendingNotes {
  const { ledger, clock } = world;
  let writtenAt = Number.NEGATIVE_INFINITY;

  function news({ workers }: Swarm, usage: Trace['usage'], changedAt?: number): EventBody[] {
    const worker = workers.get(workerId(issue, mode));
    if (worker?.attempt !== attempt) return [];
    const { now } = worker.spent;
    const { turns, usd } = usage;
    const tokens = usage.tokensIn + usage.tokensOut;
    // What is read again after a restart is no news.
    if (turns <= now.turns && tokens <= now.tokens && usd <= now.usd) return [];
    const changed = changedAt === undefined ? {} : { changedAt };
    return [{ type: 'attempt.spent', issue, mode, attempt, turns, tokens, usd, ...changed }];
  }

  /** Whether what was left behind matters: whoever has reported made progress. */
  function isAtWork({ workers }: Swarm): boolean {
    const worker = workers.get(workerId(issue, mode));
    if (worker?.attempt !== attempt) return false;
    const state = lifecycleOf(worker.facts);
    return !hasEnded(state) && state !== 'reporting';
  }

  return {
    async heard(event, usage) {
      // The turn of whoever has reported is written with its end, which is near.
      const isDue = event === 'usage' ? clock.now() - writtenAt >= SELDOM_MS : isAtWork(ledger.swarm);
      if (!isDue || news(ledger.swarm, usage).length === 0) return false;
      const changedAt = event === 'usage' ? undefined : await changeOf(world, issue);
      writtenAt = clock.now();
      return (await ledger.append((swarm) => news(swarm, usage, changedAt))).length > 0;
    },
    atEnd: (swarm, usage) => news(swarm, usage),
  };
}

/** Undefined where that could not be read, which proves nothing about the worker. */
export async function changeOf({ workspaces }: World, issue: string): Promise<number | undefined> {
  return workspaces.changedAt(issue).catch(() => undefined);
}
