/** What a worker's process has written, read from its daemon: up to now, or on and on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerId } from '../core/model/ids.ts';
import { workerEndpoints } from '../protocol/endpoints/workers.ts';
import type { LogsAnswer, WorkerView } from '../protocol/operator.ts';
import type { DaemonClient } from './daemon-client.ts';

/** Between two looks while following: fast enough to read along, slow enough to cost nothing. */
const FOLLOW_MS = 500;

export interface Reading {
  readonly worker: WorkerId;
  /** The present one where it is undefined. */
  readonly attempt: number | undefined;
  readonly stream: 'out' | 'err';
  /** In bytes. */
  readonly offset: number;
}

/** From a byte on to the present end. */
export async function* written(daemon: DaemonClient, reading: Reading): AsyncGenerator<LogsAnswer> {
  const { worker, attempt, stream } = reading;
  for (let { offset } = reading, more = true; more; ) {
    const part = await daemon.call(workerEndpoints.logs, {
      params: { id: worker },
      query: { offset: `${offset}`, stream, attempt: attempt?.toString() },
    });
    yield part;
    more = part.more && part.nextOffset > offset;
    offset = part.nextOffset;
  }
}

export type News =
  | { readonly kind: 'written'; readonly part: LogsAnswer }
  /** As it was before all of this was written that came since the last look. `attempt`: the one that is read. */
  | { readonly kind: 'seen'; readonly worker: WorkerView; readonly attempt: number };

/** One attempt, until whoever asks has enough: what an ended worker wrote comes before the word that it has ended. */
export async function* followOutput(
  daemon: DaemonClient,
  reading: Reading,
  signal: AbortSignal,
): AsyncGenerator<News> {
  let { attempt, offset } = reading;
  for (;;) {
    const worker = await daemon.call(workerEndpoints.show, { params: { id: reading.worker } });
    attempt ??= worker.attempt;
    for await (const part of written(daemon, { ...reading, attempt, offset })) {
      offset = part.nextOffset;
      yield { kind: 'written', part };
    }
    yield { kind: 'seen', worker, attempt };
    await sleep(FOLLOW_MS, undefined, { signal });
  }
}
