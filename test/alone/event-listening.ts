/** Receives events as they arrive, as a client that watches a legion does. */
import type { Event } from '../../src/core/model/event.ts';
import type { ApiClient } from '../support/http-client.ts';

export interface EventListening {
  /**
   * Resolves to the local time, in ms, at which the event arrived. Also finds events that arrived
   * before the call.
   */
  until(wanted: (event: Event) => boolean): Promise<number>;
  close(): Promise<void>;
}

export async function listenToEvents({ url, token }: ApiClient): Promise<EventListening> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${url}/events`, { headers, signal: leaving.signal });
  const heard: { event: Event; at: number }[] = [];
  const waiting = new Set<{ wanted: (event: Event) => boolean; resolve: (at: number) => void }>();
  const over = readEvents(body ?? new ReadableStream(), (event) => {
    const at = performance.now();
    heard.push({ event, at });
    for (const each of waiting) if (each.wanted(event)) each.resolve(at);
  }).catch(() => undefined); // closing aborts the stream
  return {
    until(wanted) {
      const before = heard.find(({ event }) => wanted(event));
      if (before !== undefined) return Promise.resolve(before.at);
      return new Promise((resolve) => waiting.add({ wanted, resolve }));
    },
    async close() {
      leaving.abort();
      await over;
    },
  };
}

async function readEvents(body: ReadableStream<Uint8Array>, hear: (event: Event) => void): Promise<void> {
  let text = '';
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const frames = (text + part).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) hear(JSON.parse(data) as Event);
    }
  }
}
