/** Events by their versions: those that lie near each other are read together. */
import type { Event } from '../../../../core/model/event.ts';
import type { Ledger } from '../../../context/journal-ledger.ts';

/** Reading so many events nobody asked for costs as much as beginning another reading. */
const GAP_MOST = 50;

/** `versions` ascend; so does what is given back. */
export async function eventsOf(ledger: Ledger, versions: readonly number[]): Promise<readonly Event[]> {
  const wanted = new Set(versions);
  const events: Event[] = [];
  for (const [first, last] of stretches(versions)) {
    for await (const batch of ledger.read(first - 1, last))
      for (const event of batch) if (wanted.has(event.seq)) events.push(event);
  }
  return events;
}

function stretches(versions: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const version of versions) {
    const last = found.at(-1);
    if (last !== undefined && version - last[1] <= GAP_MOST) last[1] = version;
    else found.push([version, version]);
  }
  return found;
}
