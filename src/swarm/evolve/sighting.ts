/** What the board showed, and when. */
import type { EventOf } from '../../core/model/event.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { Swarm } from '../../core/state/state.ts';

export function evolveSighting(swarm: Swarm, event: EventOf<'issue.sighted' | 'issue.left'>): boolean {
  const { board } = swarm;
  const { issue, sight, at } = event;
  const before = board.get(issue);
  if (sight !== (before?.sight ?? 0) + 1) return false;
  if (event.type === 'issue.left') {
    if (before === undefined || before.left === true) return false;
    board.set(issue, { ...before, sight, left: true });
    return true;
  }
  const { title, status, column } = event;
  const isSame = before?.status === status && before.left === undefined;
  board.set(issue, { sight, title, status, column, since: isSame ? before.since : at });
  if (status === 'In Progress' && !isSame) goBackToImplementation(swarm, issue);
  if (status !== 'Icebox' && status !== 'Triage') forgetIcebox(swarm, issue);
  return true;
}

/** Whoever brings it back into the Icebox from here is a person. */
function forgetIcebox(swarm: Swarm, issue: IssueId): void {
  const record = swarm.issues.get(issue);
  if (record?.iceboxedByTriage === true) swarm.issues.set(issue, { ...record, iceboxedByTriage: false });
}

/** Called for the column as it is seen: a move of ours may fail, and a person may move the issue by hand. */
function goBackToImplementation(swarm: Swarm, issue: IssueId): void {
  const record = swarm.issues.get(issue);
  if (record?.evidence.retro === undefined) return;
  const { retro: _, ...evidence } = record.evidence;
  swarm.issues.set(issue, { ...record, evidence });
}
