/** Writes down what an attempt uses up, so that budgets hold across daemons: seldom while it works, surely at its end. */
import type { EventBody } from '../../core/model/event.ts';
import { workerId } from '../../core/model/ids.ts';
import type { Swarm, WorkerRecord } from '../../core/state/state.ts';
import { hasEnded, lifecycleOf } from '../../domain/lifecycle.ts';
import type { Trace } from '../supervisor/trace.ts';
import type { World } from '../world.ts';
import type { Attempt } from './watch-attempt.ts';

/** As long as this an amount may be spent without the journal knowing; more often would be a durable write for every word. */
const SELDOM_MS = 10_000;

export interface SpendingNotes {
  /**
   * Call it whenever everything was heard. Resolves to whether something was written that a budget may be held against.
   * `isNew`: it was written since the call before; what was read late may be older than a checkpoint that is known already.
   */
  heard(usage: Trace['usage'], isNew: boolean): Promise<boolean>;
  /** For the append that writes its end. */
  atEnd(swarm: Swarm, usage: Trace['usage']): EventBody[];
}

export function spendingNotes(world: World, { issue, mode, attempt }: Attempt): SpendingNotes {
  const { ledger, clock } = world;
  const id = workerId(issue, mode);
  let writtenAt = Number.NEGATIVE_INFINITY;

  function present({ workers }: Swarm): WorkerRecord | undefined {
    const worker = workers.get(id);
    return worker?.attempt === attempt ? worker : undefined;
  }

  function news(swarm: Swarm, usage: Trace['usage'], changedAt?: number): EventBody[] {
    const worker = present(swarm);
    if (worker === undefined) return [];
    const { now } = worker.spent;
    const { turns, usd } = usage;
    const tokens = usage.tokensIn + usage.tokensOut;
    // What is read again after a restart is no news.
    if (turns <= now.turns && tokens <= now.tokens && usd <= now.usd) return [];
    const changed = changedAt === undefined ? {} : { changedAt };
    return [{ type: 'attempt.spent', issue, mode, attempt, turns, tokens, usd, ...changed }];
  }

  return {
    async heard(usage, isNew) {
      const worker = present(ledger.swarm);
      if (worker === undefined || news(ledger.swarm, usage).length === 0) return false;
      const isTurn = usage.turns > worker.spent.now.turns;
      // The turn of whoever has reported is written with its end, which is near.
      if (isTurn ? !isAtWork(worker) : clock.now() - writtenAt < SELDOM_MS) return false;
      const isKnown = isTurn && isNew && !(await world.wordsLeft(id, attempt));
      const changedAt = isKnown ? await changeOf(world, issue) : undefined;
      writtenAt = clock.now();
      return (await ledger.append((swarm) => news(swarm, usage, changedAt))).length > 0;
    },
    atEnd: (swarm, usage) => news(swarm, usage),
  };
}

/** Whether what it leaves behind matters: whoever has reported made progress. */
function isAtWork({ facts }: WorkerRecord): boolean {
  const state = lifecycleOf(facts);
  return !hasEnded(state) && state !== 'reporting';
}

/** Undefined where that could not be read, which proves nothing about the worker. */
async function changeOf({ workspaces }: World, issue: string): Promise<number | undefined> {
  return workspaces.changedAt(issue).catch(() => undefined);
}
