/** Hears of events as they come, the way whoever watches a legion does. */
import type { Event } from '../../src/core/model/event.ts';
import type { Door } from '../support/http-client.ts';

export interface Listening {
  /** Resolves to when it was heard, in milliseconds of this process; also of what was heard before it was asked for. */
  until(wanted: (event: Event) => boolean): Promise<number>;
  leave(): Promise<void>;
}

export async function listen({ url, token }: Door): Promise<Listening> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${url}/events`, { headers, signal: leaving.signal });
  const heard: { event: Event; at: number }[] = [];
  const waiting = new Set<{ wanted: (event: Event) => boolean; resolve: (at: number) => void }>();
  const over = read(body ?? new ReadableStream(), (event) => {
    const at = performance.now();
    heard.push({ event, at });
    for (const each of waiting) if (each.wanted(event)) each.resolve(at);
  }).catch(() => undefined); // leaving breaks it off
  return {
    until(wanted) {
      const before = heard.find(({ event }) => wanted(event));
      if (before !== undefined) return Promise.resolve(before.at);
      return new Promise((resolve) => waiting.add({ wanted, resolve }));
    },
    async leave() {
      leaving.abort();
      await over;
    },
  };
}

async function read(body: ReadableStream<Uint8Array>, hear: (event: Event) => void): Promise<void> {
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
