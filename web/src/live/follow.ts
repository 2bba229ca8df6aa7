/** Follows the legion's events and reconnects after daemon restarts and system sleep. */
import { buildHeaders } from '../api/request.ts';
import { readSentEvents, type SentEvent } from './sse.ts';

/**
 * Backoff delays are 0.5, 1, 2, 4, 8, 10, 10 … s: a restart takes about a second, and polling an
 * unreachable daemon costs little.
 */
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 10_000;
/**
 * The daemon sends something every 15 s. If it has been silent for twice that time and a margin,
 * the connection is considered dead.
 */
const SILENT_MS = 35_000;

export interface StreamFollower {
  /** If `fresh` is true, earlier events may have been missed, so all data must be refetched. */
  onConnected(fresh: boolean): void;
  onEvent(event: SentEvent): void;
  onAway(): void;
  /** Called if the daemon does not accept the session, so that retrying would not help. */
  onSignedOut(): void;
}

export interface FollowedStream {
  /** Reconnects at once. Called when the tab becomes visible or the network is back. */
  wake(): void;
  end(): void;
}

/** Starts following immediately. If `after` is known, begins with the events after it. */
export function subscribeToEvents(follower: StreamFollower, after: number | undefined): FollowedStream {
  const stop = new AbortController();
  let connection = new AbortController();
  let lastSign = 0;
  let lastSeen = after;
  let failures = 0;
  let isConnected = false;
  let endSleep = () => {};

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      const outcome = await connect().catch(() => 'broken' as const);
      if (stop.signal.aborted) return;
      if (outcome === 'signed-out') return follower.onSignedOut();
      if (isConnected || failures === 0) follower.onAway();
      isConnected = false;
      await sleep(Math.min(INITIAL_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS));
      failures += 1;
    }
  }

  async function connect(): Promise<'ended' | 'signed-out'> {
    connection = new AbortController();
    // Starts the timeout before the first response arrives, because a connection that never answers
    // is as dead as one that falls silent.
    recordSign();
    const watch = setInterval(checkSilence, SILENT_MS / 4);
    try {
      return await read();
    } finally {
      clearInterval(watch);
    }
  }

  async function read(): Promise<'ended' | 'signed-out'> {
    const headers: Record<string, string> = { ...buildHeaders(false), accept: 'text/event-stream' };
    if (lastSeen !== undefined) headers['last-event-id'] = String(lastSeen);
    const answer = await fetch('/events', { headers, cache: 'no-store', signal: connection.signal });
    if (answer.status === 401) return 'signed-out';
    if (answer.status === 400) lastSeen = undefined; // the daemon has a different journal now
    if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
    isConnected = true;
    failures = 0;
    follower.onConnected(lastSeen === undefined);
    recordSign();
    for await (const event of readSentEvents(answer.body)) {
      recordSign();
      if (event === null || event.seq <= (lastSeen ?? -1)) continue;
      lastSeen = event.seq;
      follower.onEvent(event);
    }
    return 'ended';
  }

  function recordSign(): void {
    lastSign = Date.now();
  }

  function checkSilence(): void {
    if (Date.now() - lastSign > SILENT_MS) connection.abort();
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  void run();
  return {
    wake() {
      checkSilence();
      if (isConnected) return;
      failures = 0;
      endSleep();
    },
    end() {
      stop.abort();
      connection.abort();
      endSleep();
    },
  };
}
