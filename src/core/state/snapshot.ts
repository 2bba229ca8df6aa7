/** The state as text and back, so that a start need not fold the whole journal. */

import { setWorker } from '../../swarm/workers.ts';
import type { Swarm } from './state.ts';

/** Raised whenever the shape of the state changes: a snapshot of another shape is not read, the journal is folded anew. */
const SNAPSHOT_SHAPE = 17;

export interface SwarmSnapshot {
  readonly version: number;
  readonly shape: number;
  readonly state: string;
}

/** The parts of the state that are maps; the indexes follow from them and are left out. */
const MAPS = ['issues', 'workers', 'intents', 'messages', 'quotas', 'spending', 'board'] as const;

export function toSnapshot(swarm: Swarm): SwarmSnapshot {
  const state = JSON.stringify(flattenSwarm(swarm, (map) => [...map]));
  return { version: swarm.version, shape: SNAPSHOT_SHAPE, state };
}

/** The state as plain data, each map as `flatten` makes it. */
export function flattenSwarm(
  swarm: Swarm,
  flatten: (map: ReadonlyMap<string | number, unknown>) => unknown,
): Readonly<Record<string, unknown>> {
  const { workersByIssue, present, failing, ...kept } = swarm;
  const maps = Object.fromEntries(MAPS.map((name) => [name, flatten(kept[name])]));
  return { ...kept, ...maps, leader: swarm.leader ?? null };
}

/** Undefined for a snapshot that cannot be used; nothing is lost by that but time. */
export function fromSnapshot(snapshot: SwarmSnapshot): Swarm | undefined {
  if (snapshot.shape !== SNAPSHOT_SHAPE) return undefined;
  const read = parse(snapshot.state);
  if (read === undefined || read.version !== snapshot.version) return undefined;
  const swarm: Swarm = {
    ...read,
    leader: read.leader ?? undefined,
    lastDispatchAt: read.lastDispatchAt,
    issues: new Map(read.issues),
    workers: new Map(),
    workersByIssue: new Map(),
    present: new Set(),
    failing: new Set(),
    intents: new Map(read.intents),
    messages: new Map(read.messages),
    quotas: new Map(read.quotas),
    spending: new Map(read.spending),
    board: new Map(read.board),
  };
  for (const [id, worker] of read.workers) setWorker(swarm, id, worker);
  return swarm;
}

type Entries<M> = M extends Map<infer K, infer V> ? [K, V][] : never;
type Flat = Omit<Swarm, (typeof MAPS)[number] | 'workersByIssue' | 'present' | 'failing' | 'leader'> & {
  readonly [M in (typeof MAPS)[number]]: Entries<Swarm[M]>;
} & { readonly leader: string | null };

/** A snapshot is our own cache, written whole or not at all; this only keeps out what is plainly not one. */
function parse(text: string): Flat | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFlat(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFlat(value: unknown): value is Flat {
  if (typeof value !== 'object' || value === null) return false;
  const parts = value as Record<string, unknown>;
  return MAPS.every((name) => Array.isArray(parts[name]));
}
