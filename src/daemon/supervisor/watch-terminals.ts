/**
 * Opens a window for each worker whose mode has a configured view. Workers never wait for their
 * window: if it cannot be opened, that is only reported as a problem.
 */

import { toWorkerId } from '../../core/model/ids.ts';
import { hasEnded, toLifecycleState } from '../../core/model/lifecycle.ts';
import { MODES, type Mode } from '../../core/model/mode.ts';
import { listPresentWorkers } from '../../core/state/workers.ts';
import type { Terminals, TerminalWorker } from '../../ports/terminals.ts';
import type { DaemonContext } from '../context/daemon-context.ts';

const TERMINAL_PROBLEM = 'view';

export interface WorkerTerminals {
  /** Called for each worker, because the configuration may have changed. */
  readonly isWanted: (mode: Mode) => boolean;
  readonly terminals: Terminals;
}

/**
 * Opens windows for the workers that are currently running and for each worker that starts later.
 * Returns a function that stops opening windows and leaves existing ones open.
 */
export function watchTerminals(
  { ledger, problems }: Pick<DaemonContext, 'ledger' | 'problems'>,
  { isWanted: wants, terminals: views }: WorkerTerminals,
): () => Promise<void> {
  const ending = new AbortController();
  /** Keyed by worker, so that a worker that starts twice while queued gets only one window. */
  const waiting = new Map<string, TerminalWorker>();
  let opening: Promise<void> | undefined;

  function show(worker: TerminalWorker): void {
    if (!wants(worker.mode)) {
      if (!MODES.some(wants)) problems.resolve(TERMINAL_PROBLEM);
      return;
    }
    waiting.set(toWorkerId(worker.issue, worker.mode), worker);
    begin();
  }

  function begin(): void {
    opening ??= openAll().finally(() => {
      opening = undefined;
      // A worker may have been added after the last iteration.
      if (waiting.size > 0 && !ending.signal.aborted) begin();
    });
  }

  /**
   * Opens one window after another, because the first may have to create the tmux session, and two
   * concurrent calls would both try to create it.
   */
  async function openAll(): Promise<void> {
    for (const [id, worker] of waiting) {
      if (ending.signal.aborted) return;
      waiting.delete(id);
      try {
        await views.open(worker, ending.signal);
        problems.resolve(TERMINAL_PROBLEM);
      } catch (error) {
        if (!ending.signal.aborted) problems.report(TERMINAL_PROBLEM, error);
      }
    }
  }

  const forget = ledger.subscribe((events) => {
    for (const event of events) if (event.type === 'attempt.spawned') show(event);
  });
  for (const [, { issue, mode, facts }] of listPresentWorkers(ledger.state)) {
    if (!hasEnded(toLifecycleState(facts))) show({ issue, mode });
  }
  return async () => {
    forget();
    ending.abort();
    await opening;
  };
}
