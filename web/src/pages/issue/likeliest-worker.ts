/**
 * Picks the worker that is selected by default: a running one, else a waiting one, else the latest.
 * Pure.
 */
import { isLive, isWaiting } from '../../../../src/core/model/lifecycle.ts';
import type { WorkerView } from '../../../../src/protocol/workers.ts';

export function pickLikeliestWorker(workers: readonly WorkerView[]): WorkerView | undefined {
  return (
    workers.find(({ status }) => isLive(status)) ??
    workers.find(({ status }) => isWaiting(status)) ??
    workers.toSorted((one, other) => other.startedAt - one.startedAt)[0]
  );
}
