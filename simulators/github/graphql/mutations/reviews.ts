/** Implements the mutations of reviews. */
import type { AddPullRequestReviewInput } from '@octokit/graphql-schema';
import { GithubRefusal, toUnprocessable } from '../../model/fault.ts';
import { addReview } from '../../model/reviews.ts';
import { buildConnection } from '../connection.ts';
import type { SchemaValue } from '../shape.ts';
import { find, requireRepository } from './allowed.ts';
import { defineMutation } from './define.ts';

const STATES = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;

export const REVIEW_MUTATIONS = {
  ...defineMutation<AddPullRequestReviewInput>('addPullRequestReview', async (input, context, name) => {
    const { world, token, facts } = context;
    const pullRequest = find(context, input.pullRequestId, 'PullRequest');
    requireRepository(context, pullRequest.repository, name, { permission: 'READ', app: ['pull_requests'] });
    const { event } = input;
    if (event == null || event === 'DISMISS') {
      throw new GithubRefusal(
        'NOT_SIMULATED',
        'The simulator does not support pending or dismissed reviews.',
      );
    }
    const oid = input.commitOID as string | null | undefined;
    if (oid != null && !(await facts.exists(pullRequest.repository.folder, oid))) {
      throw toUnprocessable(`The commit ${oid} is not part of the pull request`);
    }
    const remarks = [
      ...(input.comments ?? []).flatMap((each) =>
        each == null ? [] : [{ path: each.path, line: null, body: each.body }],
      ),
      ...(input.threads ?? []).flatMap((each) =>
        each == null ? [] : [{ path: each.path, line: each.line, body: each.body }],
      ),
    ];
    const review = addReview(world, token.account, pullRequest, {
      state: STATES[event],
      body: input.body ?? '',
      oid,
      remarks,
    });
    const { edges } = buildConnection('PullRequestReviewConnection', [review], { first: 1 }).fields;
    return { pullRequestReview: review, reviewEdge: (edges as SchemaValue[])[0] };
  }),
};
