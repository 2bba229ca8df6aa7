/** Sends the journal to one reader: what it has missed, then what happens, as fast as it reads and no faster. */
import type { ServerResponse } from 'node:http';
import type { EventsDesk } from '../../daemon/daemon.ts';
import type { Clock } from '../../domain/clock.ts';
import { SAFE_HEADERS } from '../answer.ts';
import { doorbell } from './doorbell.ts';
import { frame, GREETING, HEARTBEAT } from './frame.ts';

/** Proxies and browsers give a silent connection up after 30 to 60 s. */
const HEARTBEAT_MS = 15_000;

/** A reader that takes nothing while four heartbeats wait for it is gone, whatever its socket says. */
const STALLED_MS = 60_000;

export interface Sending {
  /** Resolves when the stream is over, for whatever reason; rejects when the journal could not be read. */
  readonly over: Promise<void>;
  end(): void;
}

export function sendEvents(
  outgoing: ServerResponse,
  events: EventsDesk,
  after: number,
  clock: Clock,
): Sending {
  const bell = doorbell((listener) => events.subscribe(listener), clock);
  const ending = new AbortController();
  const end = () => {
    ending.abort();
    bell.stop();
  };
  outgoing.once('close', end);
  outgoing.on('error', end); // a reader that goes away in the middle of a frame is no trouble of ours
  outgoing.setTimeout(STALLED_MS, () => outgoing.destroy());
  outgoing.writeHead(200, { ...SAFE_HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });

  const over = send(outgoing, events, after, bell.rang, ending.signal).finally(() => {
    end();
    outgoing.end();
  });
  return { over, end };
}

/**
 * No event is ever queued here: a hint only says that there is more, and what a slow reader has not taken yet stays in the
 * journal.
 */
async function send(
  outgoing: ServerResponse,
  events: EventsDesk,
  after: number,
  rang: (ms: number) => Promise<boolean>,
  ending: AbortSignal,
): Promise<void> {
  let last = after;
  let isNew = true;
  await write(outgoing, GREETING, ending);
  while (!ending.aborted) {
    if (isNew) last = await catchUp(outgoing, events, last, ending);
    else await write(outgoing, HEARTBEAT, ending);
    isNew = await rang(HEARTBEAT_MS);
  }
}

async function catchUp(
  outgoing: ServerResponse,
  events: EventsDesk,
  after: number,
  ending: AbortSignal,
): Promise<number> {
  let last = after;
  for await (const batch of events.read(after)) {
    for (const event of batch) {
      if (ending.aborted) return last;
      await write(outgoing, frame(event), ending);
      last = event.seq;
    }
  }
  return last;
}

/** Resolves once there is room for more, or when it does not matter any more. */
async function write(outgoing: ServerResponse, text: string, ending: AbortSignal): Promise<void> {
  if (ending.aborted || outgoing.destroyed || outgoing.write(text)) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      outgoing.off('drain', go);
      ending.removeEventListener('abort', go);
      resolve();
    };
    outgoing.on('drain', go);
    ending.addEventListener('abort', go);
  });
}
