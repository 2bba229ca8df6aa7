/** What GitHub answers, by the fragments that ask for it. */

import type { Actor } from '../../github/actor.ts';
import type { LabelAnswer } from '../../github/label-steps.ts';
import type { CommentParts } from '../../github/marked-comment.ts';
import type { NamedRepository } from '../../github/repository-name.ts';
import type { Page } from '../../lib/paginate.ts';

export interface RepositoryAnswer extends NamedRepository {
  readonly id: string;
}

export interface IssueAnswer {
  readonly __typename: 'Issue';
  readonly id: string;
  readonly fullDatabaseId: string;
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly closedAt: string | null;
  readonly author: Actor | null;
  readonly authorAssociation: string;
  readonly repository: RepositoryAnswer;
  readonly labels: Page<LabelAnswer> | null;
  readonly parent: { readonly number: number; readonly repository: RepositoryAnswer } | null;
  readonly reopened: { readonly nodes: readonly { readonly createdAt: string }[] };
  readonly comments: CommentsAnswer;
}

interface CommentsAnswer {
  readonly totalCount: number;
  readonly nodes: readonly CommentAnswer[];
}

export interface CommentAnswer extends CommentParts {
  readonly authorAssociation: string;
  readonly createdAt: string;
}

/** One field of a board with a choice of options; anything else has none. */
export interface ChoicesAnswer {
  readonly id?: string;
  readonly options?: readonly { readonly id: string; readonly name: string }[];
}

interface ValueAnswer {
  readonly optionId?: string | null;
  readonly updatedAt?: string;
}

export interface ItemAnswer {
  readonly id: string;
  readonly isArchived: boolean;
  readonly type: string;
  readonly createdAt: string;
  readonly status: ValueAnswer | null;
  readonly priority: ValueAnswer | null;
}

/** As a digest has it; a page read in full has the whole issue. */
export interface IssueHead {
  readonly __typename: 'Issue';
  readonly id: string;
  readonly updatedAt: string;
}

type Content<T> = T | { readonly __typename: 'DraftIssue' | 'PullRequest' } | null;

export interface PageAnswer<T extends IssueHead> extends Page<ItemAnswer & { readonly content: Content<T> }> {
  readonly totalCount: number;
  /** Legion's own: what is wrong with items that do not have the form of one. */
  readonly malformed?: readonly string[];
}

export interface ProjectAnswer {
  readonly id: string;
  readonly status: ChoicesAnswer | null;
  readonly priority: ChoicesAnswer | null;
}

export interface SearchAnswer extends Page<{ readonly id?: string } | null> {
  readonly issueCount: number;
}

/** Absent where the owner is no owner of projects. */
export interface OwnedProject<T> {
  readonly projectV2?: T | null;
}
