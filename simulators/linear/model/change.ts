/** One change, in the form that webhook senders receive. */
import type { Attachment, Comment, ExternalUser, Issue, IssueLabel, User } from './nodes.ts';

export interface LinearChange {
  readonly action: 'create' | 'update' | 'remove';
  readonly node: Issue | Comment | IssueLabel | Attachment;
  /** Undefined for changes by Linear itself. */
  readonly by: User | ExternalUser | undefined;
  /** Previous values of the changed fields. */
  readonly updatedFrom?: Readonly<Record<string, unknown>>;
}
