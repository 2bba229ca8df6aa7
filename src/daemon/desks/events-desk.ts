/** The journal's desk: every event, from any of them on. */

import type { Ledger } from '../context/journal-ledger.ts';
import type { EventsDesk } from '../daemon.ts';

export function eventsDesk(ledger: Ledger): EventsDesk {
  return {
    get version() {
      return ledger.version;
    },
    read: (after) => ledger.read(after),
    subscribe: (listener) => ledger.subscribe(() => listener()),
  };
}
