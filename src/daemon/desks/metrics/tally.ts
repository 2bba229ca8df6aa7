/** Counts what goes into the journal, from the daemon's start on, for whoever asks for figures later. */
import type { Event } from '../../../core/model/event.ts';
import { workerId } from '../../../core/model/ids.ts';
import type { Mode } from '../../../domain/mode.ts';
import type { Ledger } from '../../context/journal-ledger.ts';

interface Phase {
  readonly mode: Mode;
  readonly seconds: number;
}

export interface Tally {
  readonly events: ReadonlyMap<Event['type'], number>;
  /** Phases that were finished since this was last asked. */
  takePhases(): readonly Phase[];
}

/** Where nobody ever asks, no more than this is kept: some days of a busy legion, less than a megabyte. */
const PHASES_KEPT = 10_000;

/** A listener runs inside of an append, so it only counts. */
export function startTally(ledger: Ledger): Tally {
  const events = new Map<Event['type'], number>();
  let phases: Phase[] = [];
  ledger.subscribe((appended) => {
    for (const event of appended) {
      events.set(event.type, (events.get(event.type) ?? 0) + 1);
      if (event.type !== 'attempt.report_accepted' || phases.length >= PHASES_KEPT) continue;
      const facts = ledger.swarm.workers.get(workerId(event.issue, event.mode))?.facts;
      // An accepted error ends the attempt, but it finishes no phase.
      if (facts?.acceptedAt !== event.at) continue;
      phases.push({ mode: event.mode, seconds: Math.max(0, event.at - facts.dispatchedAt) / 1_000 });
    }
  });
  return {
    events,
    takePhases() {
      const taken = phases;
      phases = [];
      return taken;
    },
  };
}
