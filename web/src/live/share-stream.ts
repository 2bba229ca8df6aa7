/**
 * Shares one event stream among all visible pages of this browser. A browser opens at most six connections to a daemon, so a
 * stream per tab would freeze the seventh request of any of them.
 *
 * The page that holds the lock leads: it reads the stream and broadcasts what it reads. A page that is hidden, cached or closed
 * leaves, and the next visible one takes the lock.
 */
import { type FollowedStream, type Follower, follow } from './follow.ts';
import type { SentEvent } from './sse.ts';

const NAME = 'legion-events';
/** The leader shows the others that it is there, whether or not the daemon is. */
const ALIVE_EVERY_MS = 10_000;
/** Four missed signs: the leading page hangs, for example in a debugger, and another one takes over. */
const LEADER_SILENT_MS = 40_000;

type Message =
  | { readonly kind: 'connected'; readonly isFresh: boolean }
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'hello' | 'alive' | 'away' | 'signed-out' | 'wake' };

export function shareStream(follower: Follower): FollowedStream {
  let membership: Membership | undefined;
  const join = () => {
    if (document.visibilityState === 'visible') membership ??= joinStream(follower);
  };
  const leave = () => {
    membership?.end();
    membership = undefined;
  };
  const onVisibility = () => (document.visibilityState === 'visible' ? join() : leave());
  document.addEventListener('visibilitychange', onVisibility);
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', join);
  join();
  return {
    wake: () => membership?.wake(),
    end() {
      document.removeEventListener('visibilitychange', onVisibility);
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', join);
      leave();
    },
  };
}

type Membership = FollowedStream;

/** From here on the page hears every event, first from whoever leads and, once it is its turn, from the daemon. */
function joinStream(follower: Follower): Membership {
  const channel = new BroadcastChannel(NAME);
  const left = new AbortController();
  let stream: FollowedStream | undefined;
  let isConnected = false;
  /** Unknown until the first event: nothing tells what happened while the page was hidden. */
  let lastSeen: number | undefined;
  let hasJoined = false;
  let heardAt = Date.now();

  const post = (message: Message) => {
    if (!left.signal.aborted) channel.postMessage(message);
  };

  function take(event: SentEvent): void {
    if (event.seq <= (lastSeen ?? -1)) return;
    lastSeen = event.seq;
    follower.onEvent(event);
  }

  /** What the leading page does with what the daemon sends. */
  const relay: Follower = {
    onConnected(isFresh) {
      isConnected = true;
      post({ kind: 'connected', isFresh });
      follower.onConnected(isFresh);
    },
    onEvent(event) {
      post({ kind: 'event', event });
      take(event);
    },
    onAway() {
      isConnected = false;
      post({ kind: 'away' });
      follower.onAway();
    },
    onSignedOut() {
      isConnected = false;
      post({ kind: 'signed-out' });
      follower.onSignedOut();
    },
  };

  function lead(): Promise<void> {
    if (left.signal.aborted) return Promise.resolve();
    hasJoined = true;
    stream = follow(relay, lastSeen);
    const alive = setInterval(() => post({ kind: 'alive' }), ALIVE_EVERY_MS);
    return new Promise((resolve) => {
      const stop = () => {
        clearInterval(alive);
        stopStream();
        resolve();
      };
      left.signal.addEventListener('abort', stop, { once: true });
    });
  }

  function stopStream(): void {
    stream?.end();
    stream = undefined;
    isConnected = false;
  }

  async function queueForLead(options: LockOptions): Promise<void> {
    try {
      await navigator.locks.request(NAME, options, lead);
    } catch {
      if (left.signal.aborted) return;
      // Another page took the lock because this one had hung; it waits for its turn again.
      stopStream();
      void queueForLead({ signal: left.signal });
    }
  }

  function hear({ data }: MessageEvent<Message>): void {
    heardAt = Date.now();
    switch (data.kind) {
      case 'hello':
        if (stream !== undefined)
          post(isConnected ? { kind: 'connected', isFresh: false } : { kind: 'away' });
        return;
      case 'wake':
        stream?.wake();
        return;
      case 'alive':
        return;
      case 'event':
        if (stream === undefined) take(data.event);
        return;
      case 'connected':
        if (stream === undefined) follower.onConnected(data.isFresh || !hasJoined);
        hasJoined = true;
        return;
      case 'away':
        if (stream === undefined) follower.onAway();
        return;
      case 'signed-out':
        if (stream === undefined) follower.onSignedOut();
        return;
    }
  }

  const watch = setInterval(() => {
    if (stream !== undefined || Date.now() - heardAt < LEADER_SILENT_MS) return;
    heardAt = Date.now();
    void queueForLead({ steal: true });
  }, ALIVE_EVERY_MS);
  channel.addEventListener('message', hear);
  post({ kind: 'hello' });
  void queueForLead({ signal: left.signal });

  return {
    wake() {
      if (stream === undefined) post({ kind: 'wake' });
      else stream.wake();
    },
    end() {
      clearInterval(watch);
      left.abort();
      channel.close();
    },
  };
}
