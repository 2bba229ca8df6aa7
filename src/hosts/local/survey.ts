/** Lists all processes: one walk over the process table, shared by everybody who asks at about the same time. */
import { setImmediate } from 'node:timers/promises';
import type { ProcStat } from '../../lib/process/proc-table.ts';
import { toFault } from './faults.ts';
import type { ProcessTable } from './process-table.ts';

export interface SurveyedProcess extends ProcStat {
  /** Undefined for one without a marker, and for one whose environment may not be read. */
  readonly marker: string | undefined;
}

export interface Survey {
  /** A walk that began after the call. Rejects with `host.unavailable`. */
  fresh(): Promise<readonly SurveyedProcess[]>;
  /** The same, or one that began a moment ago: 200 observations need not walk 200 times. */
  recent(): Promise<readonly SurveyedProcess[]>;
  /** The same, or one that began some seconds ago: for those who look at each process they find in it again. */
  lately(): Promise<readonly SurveyedProcess[]>;
}

const RECENT_MS = 200;

/** While a worker runs, health is judged by minutes: a child of it may stay unseen for this long. */
const LATELY_MS = 5_000;

/** About 5 ms of reading, after which the event loop gets its turn. */
const PROCESSES_AT_ONCE = 200;

/**
 * A process gets its marker when it executes its program, a few milliseconds after its pid: only of one that is older is
 * "no marker" remembered. Environments are large, and most processes of a machine are none of ours.
 */
const SETTLED_MS = 10_000;

interface Known {
  readonly ticks: string;
  readonly marker: string | undefined;
  readonly firstSeenAt: number;
}

export function surveyor(table: ProcessTable): Survey {
  let known: ReadonlyMap<number, Known> = new Map();
  let last: { readonly at: number; readonly walk: Promise<readonly SurveyedProcess[]> } | undefined;

  function factsOf({ pid, ticks }: ProcStat, now: number): Known {
    const before = known.get(pid);
    const same = before?.ticks === ticks ? before : undefined;
    if (same !== undefined && (same.marker !== undefined || now - same.firstSeenAt > SETTLED_MS)) return same;
    const marker = table.markerOf(pid);
    return {
      ticks,
      marker: typeof marker === 'string' ? marker : undefined,
      firstSeenAt: same?.firstSeenAt ?? now,
    };
  }

  async function walk(): Promise<readonly SurveyedProcess[]> {
    const now = performance.now();
    const present = new Map<number, Known>();
    const found: SurveyedProcess[] = [];
    try {
      for (const [index, pid] of table.pids().entries()) {
        if (index % PROCESSES_AT_ONCE === PROCESSES_AT_ONCE - 1) await setImmediate();
        const stat = table.look(pid);
        if (stat === 'gone' || 'unavailable' in stat) continue;
        const facts = factsOf(stat, now);
        present.set(pid, facts);
        found.push({ ...stat, marker: facts.marker });
      }
    } catch (error) {
      throw toFault('list of processes', error);
    }
    known = present;
    return found;
  }

  function fresh(): Promise<readonly SurveyedProcess[]> {
    const begun = walk();
    last = { at: performance.now(), walk: begun };
    return begun;
  }

  const within = (ms: number) => () =>
    last !== undefined && performance.now() - last.at <= ms ? last.walk : fresh();
  return { fresh, recent: within(RECENT_MS), lately: within(LATELY_MS) };
}
