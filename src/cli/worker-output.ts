/** Reads a worker's output, once or continuously, through its attempts. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../core/model/fault.ts';
import type { IssueId, WorkerId } from '../core/model/ids.ts';
import { hasEnded } from '../core/model/lifecycle.ts';
import { workerEndpoints } from '../protocol/endpoints/workers.ts';
import type { LogsAnswer, WorkerView } from '../protocol/workers.ts';
import { isDaemonStopped } from './daemon-address.ts';
import { createDaemonClient, type DaemonClient } from './daemon-client.ts';
import { findPresentWorkers, listIssueWorkers } from './pick-worker.ts';

/**
 * Poll interval while following. It is short enough to read along and long enough to cost almost
 * nothing.
 */
const FOLLOW_MS = 500;

export interface WorkerOutputCursor {
  readonly worker: WorkerId;
  /** If undefined, the current attempt. */
  readonly attempt: number | undefined;
  readonly stream: 'out' | 'err';
  /** In bytes. */
  readonly offset: number;
}

/** Yields the output from the offset to the current end. */
export async function* readWorkerOutput(
  daemon: DaemonClient,
  cursor: WorkerOutputCursor,
): AsyncGenerator<LogsAnswer> {
  const { worker, attempt, stream } = cursor;
  for (let { offset } = cursor, hasMore = true; hasMore; ) {
    const part = await daemon.call(workerEndpoints.logs, {
      params: { id: worker },
      query: { offset: `${offset}`, stream, attempt: attempt?.toString() },
    });
    yield part;
    hasMore = part.more && part.nextOffset > offset;
    offset = part.nextOffset;
  }
}

export type WorkerOutputUpdate =
  | { readonly kind: 'written'; readonly part: LogsAnswer }
  /**
   * State of the worker, read before the preceding output. `attempt` is the attempt whose output is
   * being read.
   */
  | { readonly kind: 'seen'; readonly worker: WorkerView; readonly attempt: number };

/**
 * Follows one attempt until the caller stops. If the worker has ended, yields its last output
 * before the state that reports the end.
 */
export async function* watchWorkerOutput(
  daemon: DaemonClient,
  cursor: WorkerOutputCursor,
  signal: AbortSignal,
): AsyncGenerator<WorkerOutputUpdate> {
  let { attempt, offset } = cursor;
  for (;;) {
    const worker = await daemon.call(workerEndpoints.show, { params: { id: cursor.worker } });
    attempt ??= worker.attempt;
    for await (const part of readWorkerOutput(daemon, { ...cursor, attempt, offset })) {
      offset = part.nextOffset;
      yield { kind: 'written', part };
    }
    yield { kind: 'seen', worker, attempt };
    await sleep(FOLLOW_MS, undefined, { signal });
  }
}

/** Interval between attempts to reach the daemon. A restart takes about a second. */
const RETRY_MS = 1_000;

/**
 * Maximum time to wait for a daemon to come back, long enough for an update of the machine. If the
 * daemon was killed and not restarted, the view ends after this time.
 */
const MAX_AWAY_MS = 15 * 60_000;

export type WorkerWatchEvent =
  | { readonly kind: 'written'; readonly text: string }
  | { readonly kind: 'seen'; readonly worker: WorkerView }
  /** All output that follows belongs to this attempt. */
  | { readonly kind: 'attempt'; readonly attempt: number }
  /** The issue now has this worker. All events that follow are about this worker. */
  | { readonly kind: 'worker'; readonly worker: WorkerId }
  /** The daemon was stopped. No event follows. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'away'; readonly why: string }
  | { readonly kind: 'back' };

export interface WatchWorkerOptions {
  readonly worker: WorkerId;
  /** Set if the view follows the issue to its next worker. */
  readonly issue?: IssueId | undefined;
  /**
   * Whether to wait if no daemon is running at the start. If false, a missing daemon is an error.
   */
  readonly patient: boolean;
}

/**
 * Follows a worker through its attempts. If `issue` is set, also follows the issue to its next
 * workers. Continues after restarts of the daemon. Ends when the signal aborts or the daemon is
 * stopped.
 */
export async function* watchWorker(
  state: string,
  { worker: first, issue, patient }: WatchWorkerOptions,
  signal: AbortSignal,
): AsyncGenerator<WorkerWatchEvent> {
  let worker = first;
  let attempt: number | undefined;
  let offset = 0;
  let hasStarted = patient;
  let awaySince: number | undefined;
  while (!signal.aborted) {
    try {
      const cursor = { worker, attempt, stream: 'out', offset } as const;
      for await (const update of watchWorkerOutput(createDaemonClient(state, signal), cursor, signal)) {
        hasStarted = true;
        if (awaySince !== undefined) yield { kind: 'back' };
        awaySince = undefined;
        if (update.kind === 'written') {
          const { part } = update;
          if (part.attempt !== attempt) yield { kind: 'attempt', attempt: part.attempt };
          ({ attempt } = part);
          offset = part.nextOffset;
          if (part.text !== '') yield { kind: 'written', text: part.text };
          continue;
        }
        yield { kind: 'seen', worker: update.worker };
        const next = await findNextWorker(createDaemonClient(state, signal), issue, update.worker);
        if (next !== undefined) {
          worker = next;
          attempt = undefined;
          offset = 0;
          yield { kind: 'worker', worker };
          break;
        }
        if (update.worker.attempt === update.attempt) continue;
        // Continues with the latest attempt and skips any attempts in between. Those may never have
        // started, and any output they have stays in their logs.
        attempt = update.worker.attempt;
        offset = 0;
        yield { kind: 'attempt', attempt };
        break;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LegionError) || !error.retryable || !hasStarted) throw error;
      if (isDaemonStopped(state)) {
        yield { kind: 'stopped' };
        return;
      }
      const now = performance.now();
      if (awaySince === undefined) yield { kind: 'away', why: error.message };
      awaySince ??= now;
      if (now - awaySince > MAX_AWAY_MS) throw error;
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

/**
 * Returns the worker to follow next. Returns undefined while the current worker is running, and
 * after its end until the issue's next worker starts.
 */
async function findNextWorker(
  daemon: DaemonClient,
  issue: IssueId | undefined,
  { id, status }: WorkerView,
): Promise<WorkerId | undefined> {
  if (issue === undefined || !hasEnded(status)) return undefined;
  const [present] = findPresentWorkers(await listIssueWorkers(daemon, issue));
  return present === undefined || present.id === id ? undefined : present.id;
}
