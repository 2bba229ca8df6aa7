/** At the start: workers that were started and of whom nobody could write that down any more are known again at once. */
import { workerId } from '../core/model/ids.ts';
import type { Swarm } from '../core/state/state.ts';
import type { Spawn } from './perform/spawn.ts';
import type { World } from './world.ts';

/**
 * The start itself would find them too, but only after it has prepared their workspaces; whoever reports before that would
 * count as never started, and its end would not be noticed. Where the host cannot be asked, the start is left to find them.
 */
export async function adoptStarted({ ledger, host, troubles }: World): Promise<void> {
  if (unknown(ledger.swarm).length === 0) return;
  try {
    const found = (await host.adopt()).filter(({ role }) => role === 'agent');
    await ledger.append((swarm) =>
      unknown(swarm).flatMap(({ intent, command: { issue, mode, attempt } }) => {
        const worker = workerId(issue, mode);
        const process = found.find((each) => each.worker === worker && each.attempt === attempt);
        if (process === undefined) return [];
        const { pid, startTime, marker } = process;
        return [
          { type: 'attempt.spawned', issue, mode, attempt, pid, startTime, marker },
          { type: 'intent.settled', intent, outcome: 'done', detail: `pid ${pid} ran already` },
        ] as const;
      }),
    );
  } catch (error) {
    troubles.raise('adoption', error);
    return;
  }
  troubles.clear('adoption');
}

/** Starts that were begun, of attempts whose process is not in the journal. */
function unknown({ intents, workers }: Swarm): { readonly intent: number; readonly command: Spawn }[] {
  return [...intents].flatMap(([intent, { command }]) => {
    if (command.kind !== 'spawn') return [];
    const worker = workers.get(workerId(command.issue, command.mode));
    const isUnknown = worker?.attempt === command.attempt && worker.process === undefined;
    return isUnknown ? [{ intent, command }] : [];
  });
}
