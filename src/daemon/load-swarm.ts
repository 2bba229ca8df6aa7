/** Brings the state up from the journal: the newest usable snapshot, then every event after it. */

import { fold } from '../core/state/evolve.ts';
import { fromSnapshot } from '../core/state/snapshot.ts';
import { emptySwarm, type Swarm } from '../core/state/state.ts';
import type { Journal } from '../journal/journal.ts';

export interface LoadedSwarm {
  readonly swarm: Swarm;
  /** What the snapshot stands for; nothing where none could be used. */
  readonly snapshot: SavedSnapshot;
}

export interface SavedSnapshot {
  readonly version: number;
  /** Characters of its text. */
  readonly size: number;
}

/** A snapshot that is missing, torn or of another shape costs time and nothing else. */
export async function loadSwarm(journal: Journal): Promise<LoadedSwarm> {
  const saved = await journal.latestSnapshot();
  const begun = saved === undefined ? undefined : fromSnapshot(saved);
  const snapshot = {
    version: begun?.version ?? 0,
    size: begun === undefined ? 0 : (saved?.state.length ?? 0),
  };
  return { swarm: await foldOn(journal, begun ?? emptySwarm()), snapshot };
}

/** The state as it was at one moment of the journal, folded from its beginning. */
export async function swarmAt(journal: Journal, moment: Moment): Promise<Swarm> {
  let swarm = emptySwarm();
  const through = moment.version ?? (await journal.version());
  for await (const batch of journal.read(0, through)) {
    const until = moment.time ?? Number.POSITIVE_INFINITY;
    const past = batch.findIndex(({ at }) => at > until);
    swarm = fold(swarm, past === -1 ? batch : batch.slice(0, past));
    if (past !== -1) break;
  }
  return swarm;
}

/** Up to and including a version, or everything up to a time; all of it where neither is given. */
export interface Moment {
  readonly version?: number;
  readonly time?: number;
}

async function foldOn(journal: Journal, begun: Swarm): Promise<Swarm> {
  let swarm = begun;
  for await (const batch of journal.read(begun.version)) swarm = fold(swarm, batch);
  return swarm;
}
