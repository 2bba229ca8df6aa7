/** An issue of Linear as Legion keeps it. */
import type { IssuePartsFragment } from '../../integrations/linear/generated/tracker.ts';

export type LinearIssue = IssuePartsFragment & {
  /** Why the rest of the issue could not be read; absent where everything was. */
  readonly refused?: string | undefined;
};
