/**
 * Follows the events of successive daemons, to find the moment for a kill and to record every
 * published event.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../src/core/model/event.ts';
import type { ScheduledKill } from './schedule.ts';

/**
 * Maximum time to wait for an event. A board on which only one worker is running publishes few
 * events.
 */
const MAX_EVENT_WAIT_MS = 4_000;

interface ObservedEvent {
  readonly seq: number;
  readonly type: string;
  readonly at: number;
}

export interface EventFollower {
  /** Every event that was ever published, by sequence number. */
  readonly observedEvents: ReadonlyMap<number, ObservedEvent>;
  /** Follows this daemon from now on. The previous one was killed. */
  follow(daemon: { readonly url: string; readonly token: string }): Promise<void>;
  /**
   * Resolves at the chosen moment: to the type of the awaited event, or to undefined if that event
   * did not happen.
   */
  waitForMoment(moment: ScheduledKill['moment'], signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

export function createEventFollower(): EventFollower {
  const observedEvents = new Map<number, ObservedEvent>();
  const listeners = new Set<(event: ObservedEvent) => void>();
  let leaving = new AbortController();
  let last = 0;

  function recordEvent(event: Event): void {
    const { seq, type, at } = event;
    observedEvents.set(seq, { seq, type, at });
    last = Math.max(last, seq);
    for (const listener of listeners) listener({ seq, type, at });
  }

  return {
    observedEvents,
    async follow({ url, token }) {
      leaving.abort();
      leaving = new AbortController();
      const { signal } = leaving;
      const headers = { authorization: `Bearer ${token}` };
      const { body, ok } = await fetch(`${url}/events?after=${last}`, { headers, signal });
      if (!ok || body === null) throw new Error('The daemon sent no event stream.');
      // The stream breaks when the daemon is killed, as intended.
      void readEvents(body, recordEvent).catch(() => undefined);
    },
    async waitForMoment({ after, event }, signal) {
      if (event === undefined) {
        await sleep(after, undefined, { signal });
        return undefined;
      }
      const came = await waitForNextEvent(event, listeners, signal);
      if (came && after > 0) await sleep(after, undefined, { signal });
      return came ? event : undefined;
    },
    close: () => leaving.abort(),
  };
}

/**
 * Waits for the next event. Ignores older ones, because the stream repeats those of the previous
 * daemon.
 */
function waitForNextEvent(
  type: string,
  listeners: Set<(event: ObservedEvent) => void>,
  signal: AbortSignal,
): Promise<boolean> {
  const begun = Date.now();
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(timer);
      listeners.delete(listener);
      signal.removeEventListener('abort', onAbort);
      done();
    };
    const listener = (event: ObservedEvent) => {
      if (event.type === type && event.at >= begun) settle(() => resolve(true));
    };
    const onAbort = () => settle(() => reject(signal.reason as Error));
    const timer = setTimeout(() => settle(() => resolve(false)), MAX_EVENT_WAIT_MS);
    listeners.add(listener);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  recordEvent: (event: Event) => void,
): Promise<void> {
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) recordEvent(JSON.parse(data) as Event);
    }
  }
}
