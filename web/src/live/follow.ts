/** Follows the legion's events through restarts of the daemon and sleeps of the machine, by itself. */
import { headersFor } from '../api/request.ts';
import { readSentEvents, type SentEvent } from './sse.ts';

/** 0.5, 1, 2, 4, 8, 10, 10 … s: a restart takes about a second, and a daemon that stays away costs little. */
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MOST_MS = 10_000;
/** The daemon says something every 15 s; after twice that and a little, the connection is one in name only. */
const SILENT_MS = 35_000;

export interface Follower {
  /** `fresh`: nothing is known of what happened before, so everything has to be looked at anew. */
  onConnected(fresh: boolean): void;
  onEvent(event: SentEvent): void;
  onAway(): void;
  /** The daemon does not know the session; asking again would not help. */
  onSignedOut(): void;
}

export interface FollowedStream {
  /** Something suggests that it is worth looking now: the tab is seen again, the network is back. */
  wake(): void;
  end(): void;
}

/** Begins at once, after the event `after` where that is known. */
export function follow(follower: Follower, after: number | undefined): FollowedStream {
  const over = new AbortController();
  let connection = new AbortController();
  let lastSign = 0;
  let lastSeen = after;
  let failures = 0;
  let isConnected = false;
  let endNap = () => {};

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      const outcome = await connect().catch(() => 'broken' as const);
      if (over.signal.aborted) return;
      if (outcome === 'signed-out') return follower.onSignedOut();
      if (isConnected || failures === 0) follower.onAway();
      isConnected = false;
      await nap(Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MOST_MS));
      failures += 1;
    }
  }

  async function connect(): Promise<'ended' | 'signed-out'> {
    connection = new AbortController();
    // Watched from the beginning: where nobody answers at all, it is as silent as one that has died.
    sign();
    const watch = setInterval(checkSilence, SILENT_MS / 4);
    try {
      return await read();
    } finally {
      clearInterval(watch);
    }
  }

  async function read(): Promise<'ended' | 'signed-out'> {
    const headers: Record<string, string> = { ...headersFor(false), accept: 'text/event-stream' };
    if (lastSeen !== undefined) headers['last-event-id'] = String(lastSeen);
    const answer = await fetch('/events', { headers, cache: 'no-store', signal: connection.signal });
    if (answer.status === 401) return 'signed-out';
    if (answer.status === 400) lastSeen = undefined; // another journal than the one we followed
    if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
    isConnected = true;
    failures = 0;
    follower.onConnected(lastSeen === undefined);
    sign();
    for await (const event of readSentEvents(answer.body)) {
      sign();
      if (event === null || event.seq <= (lastSeen ?? -1)) continue;
      lastSeen = event.seq;
      follower.onEvent(event);
    }
    return 'ended';
  }

  function sign(): void {
    lastSign = Date.now();
  }

  function checkSilence(): void {
    if (Date.now() - lastSign > SILENT_MS) connection.abort();
  }

  function nap(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endNap = () => {
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
      endNap();
    },
    end() {
      over.abort();
      connection.abort();
      endNap();
    },
  };
}
