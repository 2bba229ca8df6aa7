/** Signals a process and its group right after verifying their identity. */

import type { ProcStat } from '../../lib/process/proc-table.ts';
import type { Host, ProcessIdentity } from '../../ports/host.ts';
import { readProcess } from './attempt-folder.ts';
import { getErrno } from './faults.ts';
import {
  matchIdentity,
  type ProcessSurvey,
  type ProcessTable,
  type SurveyedProcess,
} from './process-table.ts';

type SignalResult = Awaited<ReturnType<Host['signal']>>;
type HostSignal = Parameters<Host['signal']>[1];

export interface SignalContext {
  readonly table: ProcessTable;
  readonly survey: ProcessSurvey;
}

/** Sends the signal without awaiting anything after the last check. */
export async function signalProcess(
  { table, survey }: SignalContext,
  folder: string,
  identity: ProcessIdentity,
  signal: HostSignal,
): Promise<SignalResult> {
  // Pid 1 is init. 0 and negative numbers stand for groups, including our own group and all
  // processes.
  if (!Number.isSafeInteger(identity.pid) || identity.pid < 2) return 'not_ours';
  try {
    const record = await readProcess(folder);
    const all = await survey.scanNow();
    const match = matchIdentity(table, identity, record);
    switch (match.is) {
      case 'unavailable':
        return 'unavailable';
      case 'other':
        return 'not_ours';
      case 'gone':
        return signalRemaining(table, all, identity, signal);
      case 'ours':
        return signalGroup(match.stat, all, identity, signal);
    }
  } catch {
    return 'unavailable';
  }
}

/**
 * Signals a group whose leader has exited: the group keeps its id while it has members. At least
 * one member must carry the marker.
 */
function signalRemaining(
  table: ProcessTable,
  all: readonly SurveyedProcess[],
  identity: ProcessIdentity,
  signal: HostSignal,
): SignalResult {
  const isLeft = all.some(({ pid, group, ticks, marker }) => {
    if (group !== identity.pid || marker !== identity.marker) return false;
    const now = table.readStat(pid);
    return typeof now === 'object' && 'ticks' in now && now.ticks === ticks && now.group === group;
  });
  return isLeft ? sendSignal(-identity.pid, signal) : 'gone';
}

function signalGroup(
  stat: ProcStat,
  all: readonly SurveyedProcess[],
  { pid, marker }: ProcessIdentity,
  signal: HostSignal,
): SignalResult {
  if (stat.group === pid) return sendSignal(-pid, signal);
  // The process does not lead its own group. For a moment after the start it is in its runner's
  // group, and later it may have escaped to another group.
  const group = all.filter((each) => each.group === stat.group);
  const isAllMarked = group.length > 0 && group.every((each) => each.marker === marker);
  return sendSignal(isAllMarked ? -stat.group : pid, signal);
}

function sendSignal(target: number, signal: HostSignal): SignalResult {
  try {
    process.kill(target, `SIG${signal}`);
    return 'sent';
  } catch (error) {
    return getErrno(error) === 'ESRCH' ? 'gone' : 'unavailable';
  }
}
