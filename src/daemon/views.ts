/** Opens a window for each worker that is to be seen. No work waits for it: what fails is a trouble and nothing else. */
import { workerId } from '../core/model/ids.ts';
import { hasEnded, lifecycleOf } from '../domain/lifecycle.ts';
import { MODES, type Mode } from '../domain/mode.ts';
import { presentWorkers } from '../swarm/workers.ts';
import type { ShownWorker, Views } from '../views/view.ts';
import type { World } from './world.ts';

const TROUBLE = 'view';

export interface WantedViews {
  /** Asked for each worker anew: the configuration may have changed. */
  readonly wants: (mode: Mode) => boolean;
  readonly views: Views;
}

/** Those at work now, and each that starts from here on. Returns the way to stop that; open windows stay. */
export function watchViews(
  { ledger, troubles }: Pick<World, 'ledger' | 'troubles'>,
  { wants, views }: WantedViews,
): () => Promise<void> {
  const ending = new AbortController();
  /** By worker: one that starts twice while its window is waited for is opened once. */
  const waiting = new Map<string, ShownWorker>();
  let opening: Promise<void> | undefined;

  function show(worker: ShownWorker): void {
    if (!wants(worker.mode)) {
      if (!MODES.some(wants)) troubles.clear(TROUBLE);
      return;
    }
    waiting.set(workerId(worker.issue, worker.mode), worker);
    begin();
  }

  function begin(): void {
    opening ??= openAll().finally(() => {
      opening = undefined;
      // One may have come after the last look and before this.
      if (waiting.size > 0 && !ending.signal.aborted) begin();
    });
  }

  /** One after the other: the first of them may have to begin the session, which two cannot. */
  async function openAll(): Promise<void> {
    for (const [id, worker] of waiting) {
      if (ending.signal.aborted) return;
      waiting.delete(id);
      try {
        await views.open(worker, ending.signal);
        troubles.clear(TROUBLE);
      } catch (error) {
        if (!ending.signal.aborted) troubles.raise(TROUBLE, error);
      }
    }
  }

  const forget = ledger.subscribe((events) => {
    for (const event of events) if (event.type === 'attempt.spawned') show(event);
  });
  for (const [, { issue, mode, facts }] of presentWorkers(ledger.swarm)) {
    if (!hasEnded(lifecycleOf(facts))) show({ issue, mode });
  }
  return async () => {
    forget();
    ending.abort();
    await opening;
  };
}
