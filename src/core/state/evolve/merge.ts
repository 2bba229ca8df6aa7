/** Takes in what happens to an issue's merge: begun, landed or failed, its revert requested, the revert landed. */
import type { EventOf } from '../../model/event.ts';
import { type IssueRecord, newIssueRecord, type Swarm } from '../state.ts';

type MergeEvent = EventOf<'merge.begun' | 'merge.failed' | 'merge.landed' | 'merge.undone' | 'revert.landed'>;

export function evolveMerge(swarm: Swarm, event: MergeEvent): boolean {
  const next = changeRecord(swarm.issues.get(event.issue) ?? newIssueRecord(event.issue), event);
  if (next === undefined) return false;
  swarm.issues.set(event.issue, next);
  return true;
}

function changeRecord(record: IssueRecord, event: MergeEvent): IssueRecord | undefined {
  switch (event.type) {
    case 'merge.begun':
      return event.begin === record.lastMergeBegun + 1 ? begin(record, event) : undefined;
    case 'merge.failed':
      return record.mergeBegun?.begin === event.begin ? withoutBegun(record) : undefined;
    case 'merge.landed':
      return event.merge === record.lastMerge + 1 ? land(record, event) : undefined;
    case 'merge.undone':
      return requestRevert(record, event);
    case 'revert.landed':
      return landRevert(record, event);
  }
}

function begin(record: IssueRecord, event: EventOf<'merge.begun'>): IssueRecord {
  const { begin: serial, pullRequest, headSha, by, actor, forced, preMerge, autoMerge } = event;
  const mergeBegun = { begin: serial, pullRequest, headSha, by, actor, forced, preMerge, autoMerge };
  return { ...record, lastMergeBegun: serial, mergeBegun };
}

/** Keeps what the gate saw, where the merge was begun through Legion at this very commit. */
function land(record: IssueRecord, event: EventOf<'merge.landed'>): IssueRecord {
  const { pullRequest, headSha, mergedSha, auto, at } = event;
  const { mergeBegun: begun } = record;
  const isOurs = begun?.pullRequest === pullRequest && begun.headSha === headSha;
  const gate = isOurs
    ? { by: begun.by, preMerge: begun.preMerge, ...(begun.autoMerge && { autoMerge: begun.autoMerge }) }
    : undefined;
  const merged = { pullRequest, headSha, mergedSha, auto, at, ...(gate && { gate }) };
  return { ...withoutBegun(record), lastMerge: event.merge, merged };
}

/** Once for each merge; one that came after it is another. */
function requestRevert(record: IssueRecord, event: EventOf<'merge.undone'>): IssueRecord | undefined {
  const { merged } = record;
  if (merged === undefined || merged.undone !== undefined || event.merge !== record.lastMerge)
    return undefined;
  const { revert, branch, by, at } = event;
  return { ...record, merged: { ...merged, undone: { revert, branch, by, at } } };
}

function landRevert(record: IssueRecord, event: EventOf<'revert.landed'>): IssueRecord | undefined {
  const { merged, mergeBegun } = record;
  const settled = mergeBegun?.pullRequest === event.revert ? withoutBegun(record) : undefined;
  // Of an earlier merge, where the issue has been merged again since.
  if (merged?.undone?.revert !== event.revert || merged.undone.landed) return settled;
  const { mergedSha, by, forced, at } = event;
  const undone = { ...merged.undone, landed: { mergedSha, by, forced, at } };
  return { ...(settled ?? record), merged: { ...merged, undone } };
}

function withoutBegun(record: IssueRecord): IssueRecord {
  const { mergeBegun, ...rest } = record;
  return rest;
}
