/** The worker a person means who names none: the one at work, else the one that waits, else the latest. Pure. */
import { isLive, isWaiting } from '../../../../src/domain/lifecycle.ts';
import type { WorkerView } from '../../../../src/protocol/operator.ts';

export function likeliest(workers: readonly WorkerView[]): WorkerView | undefined {
  return (
    workers.find(({ status }) => isLive(status)) ??
    workers.find(({ status }) => isWaiting(status)) ??
    workers.toSorted((one, other) => other.startedAt - one.startedAt)[0]
  );
}
