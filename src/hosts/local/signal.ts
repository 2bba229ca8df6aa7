/** Sends a signal to a process and its group, right after making sure whose they are. */

import type { ProcStat } from '../../lib/process/proc-table.ts';
import type { Host, ProcessIdentity } from '../host.ts';
import { errnoOf } from './faults.ts';
import { matchIdentity } from './identity.ts';
import type { ProcessTable } from './process-table.ts';
import { readProcess } from './records.ts';
import type { Survey, SurveyedProcess } from './survey.ts';

type Sent = Awaited<ReturnType<Host['signal']>>;
type Signal = Parameters<Host['signal']>[1];

export interface SignalContext {
  readonly table: ProcessTable;
  readonly survey: Survey;
}

/** Nothing is awaited between the last look and the signal. */
export async function signalProcess(
  { table, survey }: SignalContext,
  folder: string,
  identity: ProcessIdentity,
  signal: Signal,
): Promise<Sent> {
  // 1 is init; 0 and negative numbers are groups, one of them our own and one everybody.
  if (!Number.isSafeInteger(identity.pid) || identity.pid < 2) return 'not_ours';
  try {
    const record = await readProcess(folder);
    const all = await survey.fresh();
    const match = matchIdentity(table, identity, record);
    switch (match.is) {
      case 'unavailable':
        return 'unavailable';
      case 'other':
        return 'not_ours';
      case 'gone':
        return signalRest(table, all, identity, signal);
      case 'ours':
        return signalGroup(match.stat, all, identity, signal);
    }
  } catch {
    return 'unavailable';
  }
}

/** A group keeps its number while anyone is in it, also without its leader; who is in it must carry the marker. */
function signalRest(
  table: ProcessTable,
  all: readonly SurveyedProcess[],
  identity: ProcessIdentity,
  signal: Signal,
): Sent {
  const isLeft = all.some(({ pid, group, ticks, marker }) => {
    if (group !== identity.pid || marker !== identity.marker) return false;
    const now = table.look(pid);
    return typeof now === 'object' && 'ticks' in now && now.ticks === ticks && now.group === group;
  });
  return isLeft ? send(-identity.pid, signal) : 'gone';
}

function signalGroup(
  stat: ProcStat,
  all: readonly SurveyedProcess[],
  { pid, marker }: ProcessIdentity,
  signal: Signal,
): Sent {
  if (stat.group === pid) return send(-pid, signal);
  // It follows in a group of somebody else: the one it escaped with, or, for a moment, that of its runner.
  const group = all.filter((each) => each.group === stat.group);
  const isAllMarked = group.length > 0 && group.every((each) => each.marker === marker);
  return send(isAllMarked ? -stat.group : pid, signal);
}

function send(target: number, signal: Signal): Sent {
  try {
    process.kill(target, `SIG${signal}`);
    return 'sent';
  } catch (error) {
    return errnoOf(error) === 'ESRCH' ? 'gone' : 'unavailable';
  }
}
