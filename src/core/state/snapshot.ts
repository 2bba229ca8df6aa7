/** Serialises the state, so that a starting daemon need not fold the whole journal. */
import type { LegionState } from './state.ts';
import { setWorker } from './workers.ts';

/**
 * Incremented whenever the shape of the state changes. A snapshot of another shape is ignored, and
 * the whole journal is folded.
 */
const SNAPSHOT_SHAPE = 20;

export interface StateSnapshot {
  readonly version: number;
  readonly shape: number;
  readonly state: string;
}

/** Maps of the state. The indexes are derived from them and left out. */
const STATE_MAPS = ['issues', 'workers', 'intents', 'messages', 'quotas', 'spending', 'board'] as const;

export function toSnapshot(legion: LegionState): StateSnapshot {
  const state = JSON.stringify(toPlainState(legion, (map) => [...map]));
  return { version: legion.version, shape: SNAPSHOT_SHAPE, state };
}

/** Returns the state as plain data, with each map converted by `flatten`. */
export function toPlainState(
  state: LegionState,
  flatten: (map: ReadonlyMap<string | number, unknown>) => unknown,
): Readonly<Record<string, unknown>> {
  const { workersByIssue, present, failing, ...kept } = state;
  const maps = Object.fromEntries(STATE_MAPS.map((name) => [name, flatten(kept[name])]));
  return { ...kept, ...maps, leader: state.leader ?? null };
}

/** Returns undefined for an unusable snapshot. Folding the journal instead only takes longer. */
export function fromSnapshot(snapshot: StateSnapshot): LegionState | undefined {
  if (snapshot.shape !== SNAPSHOT_SHAPE) return undefined;
  const read = parseFlatState(snapshot.state);
  if (read === undefined || read.version !== snapshot.version) return undefined;
  const state: LegionState = {
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
  for (const [id, worker] of read.workers) setWorker(state, id, worker);
  return state;
}

type MapEntries<M> = M extends Map<infer K, infer V> ? [K, V][] : never;
type FlatState = Omit<
  LegionState,
  (typeof STATE_MAPS)[number] | 'workersByIssue' | 'present' | 'failing' | 'leader'
> & {
  readonly [M in (typeof STATE_MAPS)[number]]: MapEntries<LegionState[M]>;
} & { readonly leader: string | null };

/**
 * A snapshot is our own cache, written completely or not at all, so this rejects only obvious
 * garbage.
 */
function parseFlatState(text: string): FlatState | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFlatState(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFlatState(value: unknown): value is FlatState {
  if (typeof value !== 'object' || value === null) return false;
  const parts = value as Record<string, unknown>;
  return STATE_MAPS.every((name) => Array.isArray(parts[name]));
}
