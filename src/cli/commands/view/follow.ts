/** Follows a worker from one attempt to the next, and through restarts of its daemon. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId, WorkerId } from '../../../core/model/ids.ts';
import { hasEnded } from '../../../domain/lifecycle.ts';
import type { WorkerView } from '../../../protocol/operator.ts';
import { type DaemonClient, daemonClient } from '../../daemon-client.ts';
import { findPresentWorkers, workersOf } from '../../pick-worker.ts';
import { followOutput } from '../../worker-output.ts';

/** A restart takes about a second. */
const RETRY_MS = 1_000;
/** An update of the machine fits; a view of a legion that was shut down for good should not stay for ever. */
const AWAY_MOST_MS = 15 * 60_000;

export type Happening =
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'seen'; readonly worker: WorkerView }
  /** What is written from here on is of this attempt. */
  | { readonly kind: 'attempt'; readonly attempt: number }
  /** The issue has gone on to this worker: everything from here on is about it. */
  | { readonly kind: 'worker'; readonly worker: WorkerId }
  | { readonly kind: 'away'; readonly why: string }
  | { readonly kind: 'back' };

export interface Following {
  readonly worker: WorkerId;
  /** Its issue, where the view follows that to the next worker. */
  readonly issue?: IssueId | undefined;
  /** A daemon that is not there at the very beginning is waited for, too; otherwise it is an error. */
  readonly patient: boolean;
}

/** Follows a worker from one attempt to the next, and its issue from one worker to the next. Ends when the signal is aborted. */
export async function* followWorker(
  state: string,
  { worker: first, issue, patient }: Following,
  signal: AbortSignal,
): AsyncGenerator<Happening> {
  let worker = first;
  let attempt: number | undefined;
  let offset = 0;
  let begun = patient;
  let awaySince: number | undefined;
  while (!signal.aborted) {
    try {
      const reading = { worker, attempt, stream: 'out', offset } as const;
      for await (const news of followOutput(daemonClient(state, signal), reading, signal)) {
        begun = true;
        if (awaySince !== undefined) yield { kind: 'back' };
        awaySince = undefined;
        if (news.kind === 'written') {
          const { part } = news;
          if (part.attempt !== attempt) yield { kind: 'attempt', attempt: part.attempt };
          ({ attempt } = part);
          offset = part.nextOffset;
          if (part.text !== '') yield { kind: 'written', text: part.text };
          continue;
        }
        yield { kind: 'seen', worker: news.worker };
        const next = await findNextWorker(daemonClient(state, signal), issue, news.worker);
        if (next !== undefined) {
          worker = next;
          attempt = undefined;
          offset = 0;
          yield { kind: 'worker', worker };
          break;
        }
        if (news.worker.attempt === news.attempt) continue;
        // To the latest: those between may never have started, and what they wrote is in the logs.
        attempt = news.worker.attempt;
        offset = 0;
        yield { kind: 'attempt', attempt };
        break;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LegionError) || !error.retryable || !begun) throw error;
      const now = performance.now();
      if (awaySince === undefined) yield { kind: 'away', why: error.message };
      awaySince ??= now;
      if (now - awaySince > AWAY_MOST_MS) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Undefined while the worker works, and while no other worker of the issue has begun after it. */
async function findNextWorker(
  daemon: DaemonClient,
  issue: IssueId | undefined,
  { id, status }: WorkerView,
): Promise<WorkerId | undefined> {
  if (issue === undefined || !hasEnded(status)) return undefined;
  const [present] = findPresentWorkers(await workersOf(daemon, issue));
  return present === undefined || present.id === id ? undefined : present.id;
}
