/** Follows a legion's events through restarts of its daemon: none is left out, none comes twice. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../../core/model/fault.ts';
import { adminEndpoints } from '../../../protocol/endpoints/admin.ts';
import { type DaemonClient, daemonClient } from '../../daemon-client.ts';
import { eventsAfter, type SentEvent } from '../../event-stream.ts';

/** 250, 500, 1000, 2000, 4000, 5000 … ms: a restart takes about a second, and a daemon that stays away costs little. */
const BACKOFF_FIRST_MS = 250;
const BACKOFF_MOST_MS = 5_000;

export type Happening =
  | { readonly kind: 'connected'; readonly daemon: DaemonClient }
  | { readonly kind: 'event'; readonly event: SentEvent }
  | { readonly kind: 'away'; readonly why: string; readonly retryMs: number };

export interface Beginning {
  /** Events after this one; `back` many before the present end where it is absent. */
  readonly after?: number | undefined;
  readonly back: number;
}

/** Ends when the signal is aborted. A daemon that is not there at the very beginning is an error; later it is waited for. */
export async function* follow(
  state: string,
  { after, back }: Beginning,
  signal: AbortSignal,
): AsyncGenerator<Happening> {
  let last = after;
  let failures = 0;
  let begun = false;
  while (!signal.aborted) {
    try {
      const daemon = daemonClient(state, signal);
      const { journalVersion } = await daemon.call(adminEndpoints.health);
      last ??= Math.max(0, journalVersion - back);
      begun = true;
      yield { kind: 'connected', daemon };
      for await (const event of eventsAfter(daemon, last, signal)) {
        failures = 0;
        if (event.seq <= last) continue;
        last = event.seq;
        yield { kind: 'event', event };
      }
      throw new LegionError('daemon.unreachable', 'the daemon closed the connection');
    } catch (error) {
      // Whatever an aborted connection says.
      if (signal.aborted) return;
      if (!(error instanceof LegionError) || !begun) throw error;
      const retryMs = Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MOST_MS);
      failures += 1;
      yield { kind: 'away', why: error.message, retryMs };
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
