/** What deliveries asked for and nobody has done yet: bounded, each wake-up once, handed on after the answer is out. */
import { setImmediate } from 'node:timers/promises';
import type { Notice } from './envoy.ts';
import type { WakeUp } from './receiver.ts';
import type { ReceiverOptions } from './receiver-options.ts';
import { merged, wakeKey } from './wake-key.ts';

/** Different things to look at. A board of a thousand issues has no more; beyond it, looking at everything is cheaper. */
export const WAKE_UPS_MOST = 1_000;

/** Notices in line. They are for people and sessions, of whom none reads more. */
export const NOTICES_MOST = 1_000;

/** How long handing on may take before the rest goes on without it: a look at a large board with GitHub at its slowest. */
export const HAND_ON_MS = 60_000;

const EVERYTHING = wakeKey('everything');

export interface Addressed {
  readonly topic: string;
  readonly notice: Notice;
}

export type PendingOptions = Pick<ReceiverOptions, 'wake' | 'envoy' | 'clock' | 'onTrouble'>;

export interface Pending {
  add(wakeUps: readonly WakeUp[], notices: readonly Addressed[]): void;
  close(): void;
}

export function openPending({ wake, envoy, clock, onTrouble }: PendingOptions): Pending {
  const wakeUps = new Map<string, WakeUp>();
  let notices: Addressed[] = [];
  let isBusy = false;
  let isClosed = false;
  /** Ends the wait for what is being handed on. */
  let bound = new AbortController();

  function note(wakeUp: WakeUp): void {
    // Everything covers everything.
    if (wakeUps.has(EVERYTHING)) return;
    const key = wakeKey(wakeUp);
    const known = wakeUps.get(key);
    if (wakeUp === 'everything' || (known === undefined && wakeUps.size >= WAKE_UPS_MOST)) {
      wakeUps.clear();
      wakeUps.set(EVERYTHING, 'everything');
      return;
    }
    wakeUps.set(key, known === undefined ? wakeUp : merged(known, wakeUp));
  }

  async function handOn(): Promise<void> {
    isBusy = true;
    while (!isClosed && (wakeUps.size > 0 || notices.length > 0)) {
      // The next turn of the event loop: by then the answer to the delivery is out.
      await setImmediate();
      const looks = [...wakeUps.values()];
      const words = notices;
      wakeUps.clear();
      notices = [];
      // Together: a wake-up does not wait for those who listen.
      await inTime(async () => {
        const said = words.map(({ topic, notice }) => envoy.publish(topic, notice).catch(onTrouble));
        if (looks.length > 0) await wake(looks);
        await Promise.all(said);
      });
    }
    isBusy = false;
  }

  /** Whoever never comes back must not hold up what came after. */
  async function inTime(work: () => Promise<void>): Promise<void> {
    if (isClosed) return;
    bound = new AbortController();
    const late = clock.sleep(HAND_ON_MS, bound.signal).then(
      () => onTrouble(new Error(`handing on wake-ups took more than ${HAND_ON_MS / 1_000} s`)),
      () => undefined,
    );
    await Promise.race([work().catch(onTrouble), late]);
    bound.abort();
  }

  return {
    add(added, said) {
      if (isClosed) return;
      for (const each of added) note(each);
      notices.push(...said);
      const tooMany = notices.length - NOTICES_MOST;
      if (tooMany > 0) {
        notices.splice(0, tooMany);
        onTrouble(new Error(`${NOTICES_MOST} notices wait to be published; the oldest are dropped`));
      }
      if (!isBusy) void handOn();
    },
    close() {
      isClosed = true;
      bound.abort();
      wakeUps.clear();
      notices = [];
    },
  };
}
