/** Looks at one process: each source by itself, so that one that cannot be read takes no other with it. */

import type { ProcStat } from '../../lib/process/proc-table.ts';
import type { ProcessIdentity, ProcessObservation } from '../host.ts';
import { exitOf } from './exit-status.ts';
import { messageOf } from './faults.ts';
import { type Match, matchByStart, matchIdentity } from './identity.ts';
import { keepToLimit } from './output-limit.ts';
import type { ProcessTable } from './process-table.ts';
import { readProcess } from './records.ts';
import type { Survey } from './survey.ts';

/** USER_HZ: what Linux shows to programs, on every architecture it runs on today. */
const TICKS_PER_SECOND = 100;

export interface ObserveContext {
  readonly table: ProcessTable;
  readonly survey: Survey;
  readonly outputLimitBytes: number;
}

export async function observeProcess(
  { table, survey, outputLimitBytes }: ObserveContext,
  folder: string,
  identity: ProcessIdentity,
): Promise<ProcessObservation> {
  const match = await matchOf(table, folder, identity);
  const alive = match.is === 'unavailable' ? { unavailable: match.why } : match.is === 'ours';
  const members = await observed(() => findMembers(table, survey, identity, match));
  return {
    alive,
    exit: await observed(() => exitOf(table, folder, alive === false)),
    groupCpuMs: 'unavailable' in members ? members : cpuMs(members),
    children:
      'unavailable' in members
        ? members
        : await observed(async () => childrenIn(table, members, identity.pid)),
    output: await observed(() => keepToLimit(folder, outputLimitBytes)),
  };
}

async function matchOf(table: ProcessTable, folder: string, identity: ProcessIdentity): Promise<Match> {
  try {
    return matchIdentity(table, identity, await readProcess(folder));
  } catch (error) {
    // A record vouches for a process that is there; that one is gone, or started at another time, the kernel knows without it.
    return matchByStart(table, identity) ?? { is: 'unavailable', why: messageOf(error) };
  }
}

/**
 * While the process is there, those of its members that are known are looked at one by one. What it leaves behind has to be
 * complete: then all processes are.
 */
async function findMembers(
  table: ProcessTable,
  survey: Survey,
  identity: ProcessIdentity,
  match: Match,
): Promise<readonly ProcStat[]> {
  if (match.is !== 'ours') {
    return (await survey.recent()).filter(({ marker }) => marker === identity.marker);
  }
  const { stat } = match;
  const others = (await survey.lately()).filter(
    ({ pid, marker, session }) =>
      pid !== stat.pid && (marker === identity.marker || (stat.session === stat.pid && session === stat.pid)),
  );
  return [stat, ...others.flatMap((each) => lookAgain(table, each))];
}

function lookAgain(table: ProcessTable, { pid, ticks }: ProcStat): readonly ProcStat[] {
  const stat = table.look(pid);
  return typeof stat === 'object' && 'ticks' in stat && stat.ticks === ticks ? [stat] : [];
}

function cpuMs(members: readonly ProcStat[]): number {
  const ticks = members.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

function childrenIn(
  table: ProcessTable,
  members: readonly ProcStat[],
  pid: number,
): { count: number; newestAt: number | 'none' } {
  const starts = members.filter((each) => each.pid !== pid).map(({ ticks }) => Number(ticks));
  if (starts.length === 0) return { count: 0, newestAt: 'none' };
  return {
    count: starts.length,
    newestAt: Math.round(table.bootedAt() + (Math.max(...starts) * 1000) / TICKS_PER_SECOND),
  };
}

async function observed<T>(look: () => Promise<T>): Promise<T | { readonly unavailable: string }> {
  try {
    return await look();
  } catch (error) {
    return { unavailable: messageOf(error) };
  }
}
