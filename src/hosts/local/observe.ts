/** Looks at one process: each source by itself, so that one that cannot be read takes no other with it. */
import { uptime } from 'node:os';
import type { ProcessIdentity, ProcessObservation } from '../host.ts';
import { exitOf } from './exit-status.ts';
import { messageOf } from './faults.ts';
import { type Match, matchIdentity } from './identity.ts';
import { keepToLimit } from './output-limit.ts';
import type { ProcessTable } from './process-table.ts';
import { readProcess } from './records.ts';
import type { Survey, SurveyedProcess } from './survey.ts';

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
  const members = await observed(async () => membersOf(await survey.recent(), identity, match));
  return {
    alive,
    exit: await observed(() => exitOf(table, folder, alive === false)),
    groupCpuMs: 'unavailable' in members ? members : cpuMs(members),
    children: 'unavailable' in members ? members : childrenIn(members, identity.pid),
    output: await observed(() => keepToLimit(folder, outputLimitBytes)),
  };
}

async function matchOf(table: ProcessTable, folder: string, identity: ProcessIdentity): Promise<Match> {
  try {
    return matchIdentity(table, identity, await readProcess(folder));
  } catch (error) {
    // A record vouches for a process that is there; that one is gone, the kernel knows without it.
    const match = matchIdentity(table, identity, undefined);
    return match.is === 'gone' ? match : { is: 'unavailable', why: messageOf(error) };
  }
}

/**
 * Who carries the marker, and who is in the session. A session keeps its number while anyone is in it; but with its leader
 * gone, nobody can tell whether the number was given to another, and then only the marker counts.
 */
function membersOf(
  all: readonly SurveyedProcess[],
  { pid, marker }: ProcessIdentity,
  match: Match,
): readonly SurveyedProcess[] {
  return all.filter(
    (each) =>
      each.marker === marker ||
      (match.is === 'ours' && (each.pid === pid || (match.stat.session === pid && each.session === pid))),
  );
}

function cpuMs(members: readonly SurveyedProcess[]): number {
  const ticks = members.reduce((sum, { cpuTicks }) => sum + cpuTicks, 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

function childrenIn(
  members: readonly SurveyedProcess[],
  pid: number,
): { count: number; newestAt: number | 'none' } {
  const starts = members.filter((each) => each.pid !== pid).map(({ ticks }) => Number(ticks));
  if (starts.length === 0) return { count: 0, newestAt: 'none' };
  const bootedAt = Date.now() - uptime() * 1000;
  return {
    count: starts.length,
    newestAt: Math.round(bootedAt + (Math.max(...starts) * 1000) / TICKS_PER_SECOND),
  };
}

async function observed<T>(look: () => Promise<T>): Promise<T | { readonly unavailable: string }> {
  try {
    return await look();
  } catch (error) {
    return { unavailable: messageOf(error) };
  }
}
