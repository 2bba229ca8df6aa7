/** One change, in the form that webhook senders receive. */
import type {
  Account,
  CheckRunNode,
  CommentNode,
  Issue,
  Label,
  ProjectItem,
  PullRequest,
  Repository,
  Review,
  StatusNode,
} from './nodes.ts';

export type GithubChange =
  | {
      readonly event: 'issues';
      readonly action: 'opened' | 'edited' | 'closed' | 'reopened' | 'labeled' | 'unlabeled';
      readonly by: Account;
      readonly issue: Issue;
      readonly label?: Label;
    }
  | {
      readonly event: 'issue_comment';
      readonly action: 'created' | 'edited' | 'deleted';
      readonly by: Account;
      readonly comment: CommentNode;
    }
  | {
      readonly event: 'pull_request';
      readonly action:
        | 'opened'
        | 'edited'
        | 'closed'
        | 'reopened'
        | 'labeled'
        | 'unlabeled'
        | 'synchronize'
        | 'ready_for_review'
        | 'converted_to_draft';
      readonly by: Account;
      readonly pullRequest: PullRequest;
      readonly label?: Label;
      /** The head before a push. */
      readonly before?: string;
    }
  | {
      readonly event: 'pull_request_review';
      readonly action: 'submitted';
      readonly by: Account;
      readonly review: Review;
    }
  | {
      readonly event: 'check_run';
      readonly action: 'created' | 'completed';
      readonly by: Account;
      readonly check: CheckRunNode;
    }
  | {
      readonly event: 'check_suite';
      readonly action: 'completed';
      readonly by: Account;
      readonly check: CheckRunNode;
    }
  | { readonly event: 'status'; readonly by: Account; readonly status: StatusNode }
  | {
      readonly event: 'push';
      readonly by: Account;
      readonly repository: Repository;
      readonly ref: string;
      readonly before: string;
      readonly after: string;
    }
  | {
      readonly event: 'projects_v2_item';
      readonly action: 'created' | 'edited' | 'archived' | 'restored' | 'deleted';
      readonly by: Account;
      readonly item: ProjectItem;
      readonly field?: string;
    };
