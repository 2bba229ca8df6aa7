/** Who else belongs to this worker's life: the processes of its group, and those that left the group but carry its marker. */

import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { MARKER_VARIABLE } from '../domain/marker.ts';
import { hasEnded, listPids, type ProcStat, readProcFile, readStat } from '../lib/process/proc-table.ts';

/** From each signal to the next look at who is still there for it: told, then killed. */
const LADDER: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGTERM', 3_000],
  ['SIGKILL', 3_000],
];
const LOOK_EVERY_MS = 50;

/** A pid alone may be somebody else's by now; with its start it is this one. */
export interface Member {
  readonly pid: number;
  /** Clock ticks from the boot to its start. */
  readonly ticks: string;
}

export interface Group {
  /** Living ones besides this process and its forebears, which are the host's business. */
  members(): readonly Member[];
  /** Ends everybody who is not in `spared`. Rejects with `agent.stuck` where somebody survives even SIGKILL. */
  endOthers(spared: readonly Member[]): Promise<void>;
}

/** Refuses with `agent.not_ready` where there is no proc file system. `env` is this process's own. */
export function ownGroup(env: Environment, proc = '/proc'): Group {
  const marker = env[MARKER_VARIABLE];
  const carried = marker === undefined ? undefined : `\0${MARKER_VARIABLE}=${marker}\0`;

  function members(): readonly Member[] {
    const table = readTable(proc);
    const own = table.get(process.pid);
    if (own === undefined) throw new LegionError('agent.not_ready', `${proc} does not list processes`);
    const forebears = new Set<number>();
    for (let each: ProcStat | undefined = own; each !== undefined && !forebears.has(each.pid); ) {
      forebears.add(each.pid);
      each = table.get(each.parent);
    }
    // A group that somebody else leads, such as a shell's or a test runner's, holds others than ours.
    const led = own.group === process.pid ? own.group : undefined;
    return [...table.values()]
      .filter(({ pid, group }) => !forebears.has(pid) && (group === led || isMarked(proc, pid, carried)))
      .map(({ pid, ticks }) => ({ pid, ticks }));
  }

  function others(spared: readonly Member[]): readonly Member[] {
    return members().filter((each) => !spared.some((one) => isSame(one, each)));
  }

  return {
    members,
    async endOthers(spared) {
      for (const [signal, patience] of LADDER) {
        const told = new Set<string>();
        // Looked at anew each time: who is told to end may have started somebody else just before.
        for (const until = Date.now() + patience; ; await sleep(LOOK_EVERY_MS)) {
          const left = others(spared);
          if (left.length === 0) return;
          for (const each of left) {
            const name = `${each.pid}/${each.ticks}`;
            if (!told.has(name)) tell(each.pid, signal);
            told.add(name);
          }
          if (Date.now() >= until) break;
        }
      }
      const left = others(spared);
      if (left.length > 0)
        throw new LegionError(
          'agent.stuck',
          `still there after SIGKILL: ${left.map(({ pid }) => pid).join(', ')}`,
        );
    },
  };
}

function isSame(one: Member, other: Member): boolean {
  return one.pid === other.pid && one.ticks === other.ticks;
}

function tell(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended by itself.
  }
}

function readTable(proc: string): ReadonlyMap<number, ProcStat> {
  try {
    const stats = listPids(proc).flatMap((pid) => readStat(pid, proc) ?? []);
    return new Map(stats.filter((stat) => !hasEnded(stat)).map((stat) => [stat.pid, stat]));
  } catch (error) {
    throw new LegionError('agent.not_ready', `${proc} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** The environment of a stranger cannot be read, and need not be. */
function isMarked(proc: string, pid: number, carried: string | undefined): boolean {
  return carried !== undefined && `\0${readProcFile(pid, 'environ', proc) ?? ''}\0`.includes(carried);
}
