/**
 * Follows an attempt's output, even through daemon restarts: loads the current end first, then new
 * output.
 */
import { useEffect, useRef, useState } from 'react';
import type { LogsAnswer } from '../../../../../src/protocol/workers.ts';
import { ApiError } from '../../../api/api-error.ts';
import { type ApiCall, createCall, sendRequest } from '../../../api/request.ts';
import type { TranscriptItem } from './item.ts';
import { MAX_CHARACTERS, Transcript } from './transcript.ts';

/** Poll interval while the worker runs: fast enough to read along, slow enough to cost little. */
const LIVE_POLL_MS = 700;
/**
 * Poll interval after the worker has ended. The worker writes nothing more, but if its host was
 * unreachable at that time, some output may still arrive.
 */
const ENDED_POLL_MS = 10_000;
/** Render interval while a long transcript loads. */
const DRAW_INTERVAL_MS = 250;
/** Delay before a retry. A daemon restart takes about a second. */
const RETRY_MS = 1_500;

export interface TailSource {
  readonly worker: string;
  readonly attempt: number;
  readonly stream: 'out' | 'err';
}

export interface TranscriptTail {
  readonly items: readonly TranscriptItem[];
  /**
   * Number of items omitted at the start. Output that was never loaded is counted as one item,
   * because the number of items in it is unknown.
   */
  readonly leftOut: number;
  /** Whether all existing output is loaded. */
  readonly isCaughtUp: boolean;
  readonly error: Error | null;
}

interface TailMode {
  readonly isOver: boolean;
  /** Whether the reader has scrolled up. */
  readonly isHeld: boolean;
}

const EMPTY_TAIL: TranscriptTail = { items: [], leftOut: 0, isCaughtUp: false, error: null };

/**
 * A mounted component follows one source. To follow another source, give the component another key.
 */
export function useTail({ worker, attempt, stream }: TailSource, mode: TailMode): TranscriptTail {
  const [tail, setTail] = useState(EMPTY_TAIL);
  const latest = useRef(mode);
  useEffect(() => {
    latest.current = mode;
  });
  useEffect(() => {
    const stop = new AbortController();
    void watchTail({ worker, attempt, stream }, () => latest.current, setTail, stop.signal);
    return () => stop.abort();
  }, [worker, attempt, stream]);
  return tail;
}

async function watchTail(
  source: TailSource,
  getMode: () => TailMode,
  show: (tail: TranscriptTail) => void,
  signal: AbortSignal,
): Promise<void> {
  const transcript = new Transcript();
  /** Start and end of the range read so far, in bytes. Known after the first response. */
  let read: { readonly from: number; readonly to: number } | undefined;
  let drawnAt = 0;
  const draw = (isCaughtUp: boolean, error: Error | null) => {
    drawnAt = performance.now();
    const unread = (read?.from ?? 0) > 0 ? 1 : 0;
    show({ items: [...transcript.items], leftOut: transcript.leftOut + unread, isCaughtUp, error });
  };
  while (!signal.aborted) {
    // Reads the worker's status before its output: if the status says that the worker has ended,
    // all of its output has been written.
    const { isOver, isHeld } = getMode();
    try {
      const part = await sendRequest(createLogsCall(source, read?.to), EXPECTED, { signal });
      const isNews = part.nextOffset > part.offset;
      read = { from: read?.from ?? part.offset, to: part.nextOffset };
      if (isNews) transcript.take(part.text, isHeld);
      const hasMore = part.more && isNews;
      if (!hasMore || performance.now() - drawnAt > DRAW_INTERVAL_MS) draw(!hasMore, null);
      if (!hasMore) await waitFor(isOver ? ENDED_POLL_MS : LIVE_POLL_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      draw(true, error instanceof Error ? error : new Error(String(error)));
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status !== 503)) return;
      await waitFor(RETRY_MS, signal);
    }
  }
}

const EXPECTED: readonly (keyof LogsAnswer)[] = ['offset', 'text', 'nextOffset', 'more'];

/** Does not request more of the existing output than a transcript can keep. */
function createLogsCall(
  { worker, attempt, stream }: TailSource,
  offset: number | undefined,
): ApiCall<LogsAnswer> {
  const range = offset === undefined ? { last: `${MAX_CHARACTERS}` } : { offset: `${offset}` };
  return createCall('GET /workers/:id/logs', {
    params: { id: worker },
    query: { attempt: `${attempt}`, stream, ...range },
  });
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
