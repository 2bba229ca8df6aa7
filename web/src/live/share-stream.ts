/**
 * Shares one event stream among all visible pages of this browser. A browser opens at most six
 * connections to a daemon, so with one stream per tab the seventh request would hang. The page that
 * holds the lock is the leader: it reads the stream and broadcasts it to the others. When the
 * leader is hidden, cached or closed, it releases the lock, and the next visible page takes it.
 */
import { type FollowedStream, type StreamFollower, subscribeToEvents } from './follow.ts';
import type { SentEvent } from './sse.ts';

const NAME = 'legion-events';
/**
 * Interval at which the leader signals that it is alive, whether or not the daemon is reachable.
 */
const ALIVE_INTERVAL_MS = 10_000;
/**
 * Four missed signals mean that the leading page hangs, for example in a debugger. Another page
 * then takes over.
 */
const LEADER_SILENT_MS = 40_000;

type StreamMessage =
  | { readonly kind: 'connected'; readonly isFresh: boolean }
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'hello' | 'alive' | 'away' | 'signed-out' | 'wake' };

export function openSharedStream(follower: StreamFollower): FollowedStream {
  let membership: StreamMembership | undefined;
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

type StreamMembership = FollowedStream;

/**
 * Joins the shared stream. From then on the page receives every event: from the leader at first,
 * and directly from the daemon once the page itself is the leader.
 */
function joinStream(follower: StreamFollower): StreamMembership {
  const channel = new BroadcastChannel(NAME);
  const left = new AbortController();
  let stream: FollowedStream | undefined;
  let isConnected = false;
  /** Unknown until the first event, because the page cannot know what it missed while hidden. */
  let lastSeen: number | undefined;
  let hasJoined = false;
  let lastMessageAt = Date.now();

  const post = (message: StreamMessage) => {
    if (!left.signal.aborted) channel.postMessage(message);
  };

  function deliver(event: SentEvent): void {
    if (event.seq <= (lastSeen ?? -1)) return;
    lastSeen = event.seq;
    follower.onEvent(event);
  }

  /** Relays the daemon's events to the other pages. */
  const relay: StreamFollower = {
    onConnected(isFresh) {
      isConnected = true;
      post({ kind: 'connected', isFresh });
      follower.onConnected(isFresh);
    },
    onEvent(event) {
      post({ kind: 'event', event });
      deliver(event);
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

  function startLeading(): Promise<void> {
    if (left.signal.aborted) return Promise.resolve();
    hasJoined = true;
    stream = subscribeToEvents(relay, lastSeen);
    const alive = setInterval(() => post({ kind: 'alive' }), ALIVE_INTERVAL_MS);
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
      await navigator.locks.request(NAME, options, startLeading);
    } catch {
      if (left.signal.aborted) return;
      // Another page has taken the lock because this page was hanging. This page now waits for the
      // lock again.
      stopStream();
      void queueForLead({ signal: left.signal });
    }
  }

  function onMessage({ data }: MessageEvent<StreamMessage>): void {
    lastMessageAt = Date.now();
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
        if (stream === undefined) deliver(data.event);
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
    if (stream !== undefined || Date.now() - lastMessageAt < LEADER_SILENT_MS) return;
    lastMessageAt = Date.now();
    void queueForLead({ steal: true });
  }, ALIVE_INTERVAL_MS);
  channel.addEventListener('message', onMessage);
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
