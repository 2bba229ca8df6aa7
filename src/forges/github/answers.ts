/** What GitHub answers, by the fragments that ask for it. */

import type { Actor } from '../../github/actor.ts';
import type { PageBackward } from '../../lib/paginate.ts';

/** What changes without a pull request being updated, and what tells that it was. */
export interface LightAnswer {
  readonly id: string;
  readonly number: number;
  readonly state: 'OPEN' | 'MERGED' | 'CLOSED';
  readonly updatedAt: string;
  readonly isDraft: boolean;
  readonly isCrossRepository: boolean;
  readonly headRefName: string;
  readonly headRefOid: string;
  /** `MERGEABLE`, `CONFLICTING`, `UNKNOWN`, or what GitHub adds one day. */
  readonly mergeable: string;
  readonly statusCheckRollup: RollupAnswer | null;
}

export interface RollupAnswer {
  readonly state: string;
  readonly contexts: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly checkRunCountsByState: readonly StateCount[] | null;
    readonly statusContextCountsByState: readonly StateCount[] | null;
    readonly nodes:
      | readonly ({ readonly name?: string | undefined; readonly context?: string | undefined } | null)[]
      | null;
  };
}

export interface StateCount {
  readonly state: string;
  readonly count: number;
}

export interface FullAnswer extends LightAnswer {
  readonly title: string;
  readonly body: string;
  readonly author: Actor | null;
  readonly additions: number;
  readonly deletions: number;
  readonly mergeCommit: { readonly oid: string } | null;
  readonly labels: { readonly nodes: readonly ({ readonly name: string } | null)[] | null } | null;
  readonly files: {
    readonly pageInfo: { readonly hasNextPage: boolean };
    readonly nodes: readonly ({ readonly path: string; readonly changeType: string } | null)[] | null;
  } | null;
  readonly opinions: { readonly nodes: readonly (ReviewAnswer | null)[] | null } | null;
  readonly reviews: ReviewPage | null;
}

export interface ReviewAnswer {
  readonly id: string;
  readonly state: string;
  readonly body: string;
  readonly createdAt: string;
  readonly author: Actor | null;
  readonly commit: { readonly oid: string } | null;
}

export interface ReviewPage extends Omit<PageBackward<ReviewAnswer | null>, 'nodes'> {
  readonly nodes: readonly (ReviewAnswer | null)[] | null;
}

export interface BaseAnswer {
  readonly ref: {
    readonly target: { readonly oid: string } | null;
    readonly refUpdateRule: { readonly requiredStatusCheckContexts: readonly string[] | null } | null;
  } | null;
}

/** Pull requests of a branch; `nodes` has less in a digest. */
export interface OfBranchAnswer {
  readonly pullRequests: {
    readonly pageInfo: { readonly hasNextPage: boolean };
    readonly nodes: readonly ((LightAnswer & Partial<FullAnswer>) | null)[] | null;
  };
}

export interface LinkedAnswer extends LightAnswer {
  readonly baseRefName: string;
  readonly repository: { readonly nameWithOwner: string };
}

export interface OfIssueAnswer {
  readonly issue?:
    | {
        readonly closedByPullRequestsReferences?:
          | { readonly nodes: readonly (LinkedAnswer | null)[] | null }
          | null
          | undefined;
      }
    | null
    | undefined;
}

/** One that was asked for by its number. */
export interface AttachedAnswer {
  readonly pullRequest?: LinkedAnswer | null | undefined;
}
