/** Hears a server's events through a turn, and connects again where the connection breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../domain/fault.ts';
import { readEventStream } from '../../lib/event-stream.ts';
import type { Api } from './api.ts';
import { readEvent, type ServerEvent } from './read-event.ts';

/** The first event comes with the connection. */
const CONNECT_MS = 20_000;
/** A server that has ended is not asked again in a circle. */
const PAUSE_MS = 200;

export interface Ears {
  hear(event: ServerEvent): void;
  /** Something may have been missed. */
  missed(): void;
}

/** Resolves once events are coming, to the way to stop hearing them. Rejects with `agent.failed`. */
export async function listen(api: Api, { hear, missed }: Ears): Promise<() => void> {
  const over = new AbortController();
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    reject(new LegionError('agent.failed', `no events came within ${CONNECT_MS / 1_000} s`));
  }, CONNECT_MS);
  void follow();
  try {
    await connected;
  } catch (error) {
    over.abort();
    throw error;
  } finally {
    clearTimeout(late);
  }
  return () => over.abort();

  async function follow(): Promise<void> {
    for (let isFirst = true; !over.signal.aborted; isFirst = false) {
      try {
        await hearAll(() => (isFirst ? resolve() : missed()));
      } catch (error) {
        // Later breaks are made good; without a first connection there is nothing to begin a turn with.
        if (isFirst) reject(error);
      }
      await sleep(PAUSE_MS, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
    }
  }

  async function hearAll(begun: () => void): Promise<void> {
    const chunks = (await api.events(over.signal)).pipeThrough(new TextDecoderStream());
    let hasBegun = false;
    for await (const batch of readEventStream(chunks)) {
      if (!hasBegun) begun();
      hasBegun = true;
      for (const data of batch) {
        const event = readEvent(data);
        if (event !== undefined && !over.signal.aborted) hear(event);
      }
    }
  }
}
