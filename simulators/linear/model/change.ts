/** One thing that has happened, as it is told to whoever sends webhooks. */
import type { Attachment, Comment, ExternalUser, Issue, IssueLabel, User } from './nodes.ts';

export interface Change {
  readonly action: 'create' | 'update' | 'remove';
  readonly node: Issue | Comment | IssueLabel | Attachment;
  /** Nobody: Linear itself. */
  readonly by: User | ExternalUser | undefined;
  /** What it was before, of that which is another now. */
  readonly updatedFrom?: Readonly<Record<string, unknown>>;
}
