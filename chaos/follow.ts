/** Follows the events of one daemon after another: for the moment to kill at, and to know later what had been told. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Event } from '../src/core/model/event.ts';
import type { Kill } from './schedule.ts';

/** An event that does not come within this is not waited for: a board that waits for nothing but one worker is quiet. */
const WAIT_MOST_MS = 4_000;

interface Told {
  readonly seq: number;
  readonly type: string;
  readonly at: number;
}

export interface Following {
  /** Everything that was ever told, by its number. */
  readonly told: ReadonlyMap<number, Told>;
  /** From now on this daemon; the one before is dead. */
  turnTo(daemon: { readonly url: string; readonly token: string }): Promise<void>;
  /** Resolves at the moment; to the event it waited for, if that came. */
  until(moment: Kill['moment'], signal: AbortSignal): Promise<string | undefined>;
  leave(): void;
}

export function following(): Following {
  const told = new Map<number, Told>();
  const listeners = new Set<(event: Told) => void>();
  let leaving = new AbortController();
  let last = 0;

  function hear(event: Event): void {
    const { seq, type, at } = event;
    told.set(seq, { seq, type, at });
    last = Math.max(last, seq);
    for (const listener of listeners) listener({ seq, type, at });
  }

  return {
    told,
    async turnTo({ url, token }) {
      leaving.abort();
      leaving = new AbortController();
      const { signal } = leaving;
      const headers = { authorization: `Bearer ${token}` };
      const { body, ok } = await fetch(`${url}/events?after=${last}`, { headers, signal });
      if (!ok || body === null) throw new Error('the daemon tells no events');
      // It breaks off when the daemon is killed, which is what it is there for.
      void read(body, hear).catch(() => undefined);
    },
    async until({ after, event }, signal) {
      if (event === undefined) {
        await sleep(after, undefined, { signal });
        return undefined;
      }
      const came = await next(event, listeners, signal);
      if (came && after > 0) await sleep(after, undefined, { signal });
      return came ? event : undefined;
    },
    leave: () => leaving.abort(),
  };
}

/** Not one that is older: what the daemon before had written is told again. */
function next(type: string, listeners: Set<(event: Told) => void>, signal: AbortSignal): Promise<boolean> {
  const begun = Date.now();
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(timer);
      listeners.delete(listener);
      signal.removeEventListener('abort', onAbort);
      done();
    };
    const listener = (event: Told) => {
      if (event.type === type && event.at >= begun) settle(() => resolve(true));
    };
    const onAbort = () => settle(() => reject(signal.reason as Error));
    const timer = setTimeout(() => settle(() => resolve(false)), WAIT_MOST_MS);
    listeners.add(listener);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

async function read(body: ReadableStream<Uint8Array>, hear: (event: Event) => void): Promise<void> {
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) hear(JSON.parse(data) as Event);
    }
  }
}
