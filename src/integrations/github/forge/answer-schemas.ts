/** Schemas of GitHub's responses about pull requests, reviews, comments and checks. */
import { z } from 'zod';
import { toPlainLine } from '../../../core/model/format.ts';
import { isBranchName, SHA } from '../../forge-support/clean-text.ts';
import { isGithubNumber } from '../../tracker-support/pull-request-address.ts';

const name = z.string().min(1);
const sha = z.string().regex(SHA, 'is not a commit id');
const count = z.int().min(0);

/** GitHub's schema allows a list and each of its entries to be null. */
function defineNodesSchema<T>(entry: z.ZodType<T>) {
  return z.array(entry.nullable()).nullable();
}

const actor = z
  .object({ __typename: z.string(), login: z.string().transform(toPlainLine) })
  .nullable()
  .transform((each) => (each?.login === '' ? null : each));
const forward = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const backward = z.object({ hasPreviousPage: z.boolean(), startCursor: z.string().nullable() });
const counts = z.array(z.object({ state: z.string(), count })).nullable();
const checkNames = defineNodesSchema(
  z.object({ name: z.string().optional(), context: z.string().optional() }),
);

const light = z.object({
  id: name,
  number: z.number().refine(isGithubNumber, 'is not a pull request number'),
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']),
  updatedAt: z.string(),
  isDraft: z.boolean(),
  isCrossRepository: z.boolean(),
  headRefName: name.refine(isBranchName, 'is not a branch name'),
  headRefOid: sha,
  mergeable: z.string(),
  statusCheckRollup: z
    .object({
      state: z.string(),
      contexts: z.object({
        pageInfo: forward,
        checkRunCountsByState: counts,
        statusContextCountsByState: counts,
        nodes: checkNames,
      }),
    })
    .nullable(),
});

const review = z.object({
  id: name,
  state: z.string(),
  body: z.string(),
  createdAt: z.string(),
  author: actor,
  commit: z.object({ oid: sha }).nullable(),
});

export const fullAnswer = light.extend({
  title: z.string(),
  body: z.string(),
  additions: count,
  deletions: count,
  author: actor,
  mergeCommit: z.object({ oid: sha }).nullable(),
  labels: z.object({ nodes: defineNodesSchema(z.object({ name: z.string() })) }).nullable(),
  files: z
    .object({
      pageInfo: z.object({ hasNextPage: z.boolean() }),
      nodes: defineNodesSchema(z.object({ path: name, changeType: z.string() })),
    })
    .nullable(),
  opinions: z.object({ nodes: defineNodesSchema(review) }).nullable(),
  reviews: z.object({ pageInfo: backward, nodes: defineNodesSchema(review) }).nullable(),
});

const linked = light.extend({
  baseRefName: name,
  repository: z.object({ nameWithOwner: name }),
});

/**
 * A validated pull request digest: the fields that may change without a new `updatedAt`, and the
 * fields that reveal other changes.
 */
export type LightPullRequest = z.output<typeof light>;
export type FullPullRequest = z.output<typeof fullAnswer>;
export type LinkedPullRequest = z.output<typeof linked>;
export type ReviewRecord = z.output<typeof review>;

/** The pull requests of one branch, in full or as a digest. */
export const ofBranchAnswer = {
  Full: defineBranchAnswer(fullAnswer),
  Light: defineBranchAnswer(light),
} as const;

function defineBranchAnswer<T>(pullRequest: z.ZodType<T>) {
  return z
    .looseObject({
      pullRequests: z.object({
        pageInfo: z.looseObject({ hasNextPage: z.boolean() }),
        nodes: defineNodesSchema(pullRequest),
      }),
    })
    .nullish();
}

export const ofIssueAnswer = z
  .looseObject({
    issue: z
      .looseObject({
        closedByPullRequestsReferences: z.object({ nodes: defineNodesSchema(linked) }).nullish(),
      })
      .nullish(),
  })
  .nullish();

export const attachedAnswer = z.looseObject({ pullRequest: linked.nullish() }).nullish();

export const candidatesPage = z.object({ pageInfo: forward, nodes: defineNodesSchema(light) });
export const reviewsPage = z.object({ pageInfo: backward, nodes: defineNodesSchema(review) });

export const moreChecks = z
  .looseObject({
    statusCheckRollup: z.object({ contexts: z.object({ pageInfo: forward, nodes: checkNames }) }).nullish(),
  })
  .nullish();

const text = z.string().nullish();
export const checkAnswer = z.object({
  __typename: z.string(),
  databaseId: z.number().nullish(),
  name: z.string().optional(),
  conclusion: text,
  detailsUrl: text,
  title: text,
  summary: text,
  text,
  context: z.string().optional(),
  state: z.string().optional(),
  description: text,
  targetUrl: text,
});

export const checksPage = z.object({ pageInfo: forward, nodes: defineNodesSchema(z.unknown()) });

/** Comments and reviews are decoded separately, one by one. */
export const remarksPage = z.object({ pageInfo: backward, nodes: defineNodesSchema(z.unknown()) });

export const remarkComment = z.object({
  id: name,
  fullDatabaseId: z.coerce.string(),
  body: z.string(),
  createdAt: z.string(),
  authorAssociation: z.string(),
  author: actor,
});

export const lineComments = z.object({
  pageInfo: forward,
  nodes: defineNodesSchema(
    z.object({
      body: z.string(),
      path: z.string(),
      line: z.number().nullable(),
      originalLine: z.number().nullable(),
      createdAt: z.string(),
    }),
  ),
});

export const remarkReview = review.extend({ authorCanPushToRepository: z.boolean(), comments: lineComments });
