/** The state as text and back, so that a start need not fold the whole journal. */
import type { Swarm } from './state.ts';
import { setWorker } from './workers.ts';

/** Raised whenever the shape of the state changes: a snapshot of another shape is not read, the journal is folded anew. */
const SNAPSHOT_SHAPE = 17;

export interface SwarmSnapshot {
  readonly version: number;
  readonly shape: number;
  readonly state: string;
}

export function toSnapshot(swarm: Swarm): SwarmSnapshot {
  const {
    issues,
    workers,
    workersByIssue,
    present,
    failing,
    intents,
    messages,
    quotas,
    spending,
    board,
    leader,
    ...rest
  } = swarm;
  const state = JSON.stringify({
    ...rest,
    leader: leader ?? null,
    issues: [...issues],
    workers: [...workers],
    intents: [...intents],
    messages: [...messages],
    quotas: [...quotas],
    spending: [...spending],
    board: [...board],
  });
  return { version: swarm.version, shape: SNAPSHOT_SHAPE, state };
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
type Flat = Omit<
  Swarm,
  | 'issues'
  | 'workers'
  | 'workersByIssue'
  | 'present'
  | 'failing'
  | 'intents'
  | 'messages'
  | 'quotas'
  | 'spending'
  | 'board'
  | 'leader'
> & {
  leader: string | null;
  issues: Entries<Swarm['issues']>;
  workers: Entries<Swarm['workers']>;
  intents: Entries<Swarm['intents']>;
  messages: Entries<Swarm['messages']>;
  quotas: Entries<Swarm['quotas']>;
  spending: Entries<Swarm['spending']>;
  board: Entries<Swarm['board']>;
};

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
  return (['issues', 'workers', 'intents', 'messages', 'quotas', 'spending', 'board'] as const).every(
    (name) => Array.isArray(parts[name]),
  );
}
