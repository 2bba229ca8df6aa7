/**
 * Applies an issue's merge events: begun, landed or failed, revert requested, revert landed.
 */
import type { EventOf } from '../../model/event.ts';
import { createIssueRecord, type IssueRecord, type LegionState } from '../state.ts';

type MergeEvent = EventOf<'merge.begun' | 'merge.failed' | 'merge.landed' | 'merge.undone' | 'revert.landed'>;

export function evolveMerge(state: LegionState, event: MergeEvent): boolean {
  const next = applyMergeEvent(state.issues.get(event.issue) ?? createIssueRecord(event.issue), event);
  if (next === undefined) return false;
  state.issues.set(event.issue, next);
  return true;
}

function applyMergeEvent(record: IssueRecord, event: MergeEvent): IssueRecord | undefined {
  switch (event.type) {
    case 'merge.begun':
      return event.begin === record.lastMergeBegun + 1 ? applyBegunMerge(record, event) : undefined;
    case 'merge.failed':
      return record.mergeBegun?.begin === event.begin ? omitBegunMerge(record) : undefined;
    case 'merge.landed':
      return event.merge === record.lastMerge + 1 ? applyLandedMerge(record, event) : undefined;
    case 'merge.undone':
      return applyRevertRequest(record, event);
    case 'revert.landed':
      return applyLandedRevert(record, event);
  }
}

function applyBegunMerge(record: IssueRecord, event: EventOf<'merge.begun'>): IssueRecord {
  const { begin: serial, pullRequest, headSha, by, actor, forced, preMerge, autoMerge } = event;
  const mergeBegun = { begin: serial, pullRequest, headSha, by, actor, forced, preMerge, autoMerge };
  return { ...record, lastMergeBegun: serial, mergeBegun };
}

/** Keeps the gate's conditions if Legion began the merge at the same commit. */
function applyLandedMerge(record: IssueRecord, event: EventOf<'merge.landed'>): IssueRecord {
  const { pullRequest, headSha, mergedSha, auto, at } = event;
  const { mergeBegun: begun } = record;
  const isOurs = begun?.pullRequest === pullRequest && begun.headSha === headSha;
  const gate = isOurs
    ? { by: begun.by, preMerge: begun.preMerge, ...(begun.autoMerge && { autoMerge: begun.autoMerge }) }
    : undefined;
  const merged = { pullRequest, headSha, mergedSha, auto, at, ...(gate && { gate }) };
  return { ...omitBegunMerge(record), lastMerge: event.merge, merged };
}

/** Accepts one revert request per merge. A later merge can be reverted again. */
function applyRevertRequest(record: IssueRecord, event: EventOf<'merge.undone'>): IssueRecord | undefined {
  const { merged } = record;
  if (merged === undefined || merged.undone !== undefined || event.merge !== record.lastMerge)
    return undefined;
  const { revert, branch, by, at } = event;
  return { ...record, merged: { ...merged, undone: { revert, branch, by, at } } };
}

function applyLandedRevert(record: IssueRecord, event: EventOf<'revert.landed'>): IssueRecord | undefined {
  const { merged, mergeBegun } = record;
  const settled = mergeBegun?.pullRequest === event.revert ? omitBegunMerge(record) : undefined;
  // The revert belongs to an earlier merge if the issue has been merged again since.
  if (merged?.undone?.revert !== event.revert || merged.undone.landed) return settled;
  const { mergedSha, by, forced, at } = event;
  const undone = { ...merged.undone, landed: { mergedSha, by, forced, at } };
  return { ...(settled ?? record), merged: { ...merged, undone } };
}

function omitBegunMerge(record: IssueRecord): IssueRecord {
  const { mergeBegun, ...rest } = record;
  return rest;
}
