/** Ids of issues as callers give them: refused by their form, or because the board has no such issue. */
import { LegionError } from '../domain/fault.ts';
import { type IssueId, readIssueId } from '../domain/ids.ts';

export function acceptedId(id: IssueId): IssueId {
  const read = readIssueId(String(id));
  if (!read.ok) throw new LegionError(read.fault.code, read.fault.message);
  return read.value;
}

export function unknownIssue(id: IssueId): LegionError {
  return new LegionError('tracker.issue_unknown', `${id}: is not on the board`);
}
