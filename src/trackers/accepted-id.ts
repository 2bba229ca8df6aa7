/** Ids of issues as callers give them: refused by their form, or because the board has no such issue. */

import { LegionError } from '../core/model/fault.ts';
import { type IssueId, readIssueId } from '../core/model/ids.ts';
import { unwrap } from '../lib/result.ts';

export function acceptedId(id: IssueId): IssueId {
  return unwrap(readIssueId(String(id)));
}

export function unknownIssue(id: IssueId): LegionError {
  return new LegionError('tracker.issue_unknown', `${id}: is not on the board`);
}
