/** Implements the mutations of pull requests. */
import type {
  ClosePullRequestInput,
  ConvertPullRequestToDraftInput,
  CreatePullRequestInput,
  MarkPullRequestReadyForReviewInput,
  MergePullRequestInput,
  ReopenPullRequestInput,
  RevertPullRequestInput,
  UpdatePullRequestInput,
} from '@octokit/graphql-schema';
import { GithubRefusal } from '../../model/fault.ts';
import { mergePullRequest, revertPullRequest } from '../../model/merging.ts';
import type { PullRequest } from '../../model/nodes.ts';
import {
  closePullRequest,
  createPullRequest,
  editPullRequest,
  reopenPullRequest,
  setDraft,
} from '../../model/pull-requests.ts';
import type { RepositoryPermission } from '../../simulator.ts';
import type { GithubResolverContext } from '../context.ts';
import { find, requireRepository } from './allowed.ts';
import { defineMutation } from './define.ts';

const APP = ['pull_requests'];
/** An app needs write access to contents in order to merge. */
const APP_MERGES = ['contents'];

export const PULL_REQUEST_MUTATIONS = {
  ...defineMutation<CreatePullRequestInput>('createPullRequest', async (input, context, name) => {
    const { world, facts, token } = context;
    const repository = find(context, input.repositoryId, 'Repository');
    requireRepository(context, repository, name, { permission: 'WRITE', app: APP });
    void input.maintainerCanModify; // ignored, because the simulator has no forks
    const pullRequest = await createPullRequest(world, facts, token.account, repository, {
      head: input.headRefName,
      base: input.baseRefName,
      title: input.title,
      body: input.body ?? '',
      draft: input.draft ?? false,
    });
    return { pullRequest };
  }),
  ...defineMutation<UpdatePullRequestInput>('updatePullRequest', (input, context, name) => {
    const { world, token } = context;
    const pullRequest = requireOwnPullRequest(context, input.pullRequestId, name);
    const { title, body, baseRefName: base } = input;
    if (
      input.labelIds != null ||
      input.assigneeIds != null ||
      input.projectIds != null ||
      input.milestoneId != null
    ) {
      throw new GithubRefusal(
        'NOT_SIMULATED',
        'The simulator updates only title, body, baseRefName and state.',
      );
    }
    if (title != null || body != null || base != null) {
      editPullRequest(world, token.account, pullRequest, { title, body, base });
    }
    if (input.state === 'CLOSED') closePullRequest(world, token.account, pullRequest);
    if (input.state === 'OPEN') reopenPullRequest(world, token.account, pullRequest);
    return { pullRequest, actor: token.account };
  }),
  ...defineMutation<MarkPullRequestReadyForReviewInput>(
    'markPullRequestReadyForReview',
    (input, context, name) => {
      const pullRequest = requireOwnPullRequest(context, input.pullRequestId, name);
      setDraft(context.world, context.token.account, pullRequest, false);
      return { pullRequest };
    },
  ),
  ...defineMutation<ConvertPullRequestToDraftInput>('convertPullRequestToDraft', (input, context, name) => {
    const pullRequest = requireOwnPullRequest(context, input.pullRequestId, name);
    setDraft(context.world, context.token.account, pullRequest, true);
    return { pullRequest };
  }),
  ...defineMutation<ClosePullRequestInput>('closePullRequest', (input, context, name) => {
    const pullRequest = requireOwnPullRequest(context, input.pullRequestId, name, 'TRIAGE');
    closePullRequest(context.world, context.token.account, pullRequest);
    return { pullRequest };
  }),
  ...defineMutation<ReopenPullRequestInput>('reopenPullRequest', (input, context, name) => {
    const pullRequest = requireOwnPullRequest(context, input.pullRequestId, name, 'TRIAGE');
    reopenPullRequest(context.world, context.token.account, pullRequest);
    return { pullRequest };
  }),
  ...defineMutation<MergePullRequestInput>('mergePullRequest', async (input, context, name) => {
    const { world, facts, token } = context;
    const pullRequest = find(context, input.pullRequestId, 'PullRequest');
    requireRepository(context, pullRequest.repository, name, { permission: 'WRITE', app: APP_MERGES });
    await mergePullRequest(world, facts, token.account, pullRequest, {
      method: input.mergeMethod ?? 'MERGE',
      expectedHead: input.expectedHeadOid as string | null | undefined,
      headline: input.commitHeadline,
      body: input.commitBody,
    });
    return { pullRequest, actor: token.account };
  }),
  ...defineMutation<RevertPullRequestInput>('revertPullRequest', async (input, context, name) => {
    const { world, facts, token } = context;
    const pullRequest = find(context, input.pullRequestId, 'PullRequest');
    requireRepository(context, pullRequest.repository, name, { permission: 'WRITE', app: APP });
    const reverting = await revertPullRequest(world, facts, token.account, pullRequest, {
      title: input.title ?? null,
      body: input.body ?? null,
      draft: input.draft ?? false,
    });
    return { pullRequest, revertPullRequest: reverting };
  }),
};

/** Returns the pull request if the requester is its author or may write to the repository. */
function requireOwnPullRequest(
  context: GithubResolverContext,
  id: string,
  name: string,
  permission: RepositoryPermission = 'WRITE',
): PullRequest {
  const pullRequest = find(context, id, 'PullRequest');
  requireRepository(context, pullRequest.repository, name, {
    permission,
    app: APP,
    author: pullRequest.author,
  });
  return pullRequest;
}
