/** Follows what an attempt writes: first the end of what is there, then what comes, through restarts of the daemon. */
import { useEffect, useRef, useState } from 'react';
import type { LogsAnswer } from '../../../../../src/protocol/operator.ts';
import { ApiError } from '../../../api/api-error.ts';
import { type Call, call, request } from '../../../api/request.ts';
import type { Item } from './item.ts';
import { CHARS_MOST, Transcript } from './transcript.ts';

/** Between two looks while the worker lives: fast enough to read along, slow enough to cost nothing. */
const LIVE_EVERY_MS = 700;
/** One that has ended writes no more, but its host may have been away when it did. */
const OVER_EVERY_MS = 10_000;
/** While a long transcript comes in, it is drawn this often. */
const DRAWN_EVERY_MS = 250;
/** A restart of the daemon takes about a second. */
const RETRY_MS = 1_500;

export interface Source {
  readonly worker: string;
  readonly attempt: number;
  readonly stream: 'out' | 'err';
}

export interface Tail {
  readonly items: readonly Item[];
  /** Items at the beginning that are not kept; those that were not even read count as one, for nobody knows their number. */
  readonly leftOut: number;
  /** All that had been written is here. */
  readonly isCaughtUp: boolean;
  readonly error: Error | null;
}

interface Manner {
  readonly isOver: boolean;
  /** Somebody reads further up. */
  readonly isHeld: boolean;
}

const BEGINNING: Tail = { items: [], leftOut: 0, isCaughtUp: false, error: null };

/** One source for a component's whole life: another one is another component, by its key. */
export function useTail({ worker, attempt, stream }: Source, manner: Manner): Tail {
  const [tail, setTail] = useState(BEGINNING);
  const latest = useRef(manner);
  useEffect(() => {
    latest.current = manner;
  });
  useEffect(() => {
    const leaving = new AbortController();
    void follow({ worker, attempt, stream }, () => latest.current, setTail, leaving.signal);
    return () => leaving.abort();
  }, [worker, attempt, stream]);
  return tail;
}

async function follow(
  source: Source,
  manner: () => Manner,
  show: (tail: Tail) => void,
  signal: AbortSignal,
): Promise<void> {
  const transcript = new Transcript();
  /** Where reading began and where it goes on, in bytes; a first answer tells. */
  let read: { readonly from: number; readonly to: number } | undefined;
  let drawnAt = 0;
  const draw = (isCaughtUp: boolean, error: Error | null) => {
    drawnAt = performance.now();
    const unread = (read?.from ?? 0) > 0 ? 1 : 0;
    show({ items: [...transcript.items], leftOut: transcript.leftOut + unread, isCaughtUp, error });
  };
  while (!signal.aborted) {
    // Asked before reading: what an ended worker wrote comes before the word that it has ended.
    const { isOver, isHeld } = manner();
    try {
      const part = await request(callLogs(source, read?.to), EXPECTED, { signal });
      const isNews = part.nextOffset > part.offset;
      read = { from: read?.from ?? part.offset, to: part.nextOffset };
      if (isNews) transcript.take(part.text, isHeld);
      const hasMore = part.more && isNews;
      if (!hasMore || performance.now() - drawnAt > DRAWN_EVERY_MS) draw(!hasMore, null);
      if (!hasMore) await nap(isOver ? OVER_EVERY_MS : LIVE_EVERY_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      draw(true, error instanceof Error ? error : new Error(String(error)));
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status !== 503)) return;
      await nap(RETRY_MS, signal);
    }
  }
}

const EXPECTED: readonly (keyof LogsAnswer)[] = ['offset', 'text', 'nextOffset', 'more'];

/** Of what is there already no more is read than a transcript keeps. */
function callLogs({ worker, attempt, stream }: Source, offset: number | undefined): Call<LogsAnswer> {
  const place = offset === undefined ? { last: `${CHARS_MOST}` } : { offset: `${offset}` };
  return call('GET /workers/:id/logs', {
    params: { id: worker },
    query: { attempt: `${attempt}`, stream, ...place },
  });
}

function nap(ms: number, signal: AbortSignal): Promise<void> {
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
