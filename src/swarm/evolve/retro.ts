/** A retro is done once for the work it looks back on; only new implementation makes another one due. */
import type { IssueId } from '../../domain/ids.ts';
import type { Swarm } from '../state.ts';

/** Called for the column as it is seen: a move of ours may fail, and a person may move the issue by hand. */
export function goBackToImplementation(swarm: Swarm, issue: IssueId): void {
  const record = swarm.issues.get(issue);
  if (record?.evidence.retro === undefined) return;
  const { retro: _, ...evidence } = record.evidence;
  swarm.issues.set(issue, { ...record, evidence });
}
