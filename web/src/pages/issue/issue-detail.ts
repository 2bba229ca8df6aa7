/** An issue with what belongs to it, as the daemon gives it. */
import type { CommentView, IssueView, PullRequestView, RevertView } from '../../../../src/protocol/board.ts';
import type { WorkerView } from '../../../../src/protocol/operator.ts';

export interface IssueDetail {
  readonly issue: IssueView;
  readonly comments: readonly CommentView[];
  readonly pullRequest: PullRequestView | null;
  readonly revert?: RevertView | undefined;
  readonly workers: readonly WorkerView[];
}
