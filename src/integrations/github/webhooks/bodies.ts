/** Schemas of GitHub's webhook bodies: only the fields Legion needs, ignoring all others. */
import { z } from 'zod';

/**
 * Maximum length of a name. A longer name is truncated if it is only displayed, and rejected if
 * Legion uses it otherwise.
 */
const MAX_NAME_CHARACTERS = 255;

/** Repository as `owner/repo`, present in every body. */
const repository = z
  .object({
    full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
    default_branch: z.string().optional(),
  })
  .transform(({ full_name, default_branch }) => {
    const [owner = '', repo = ''] = full_name.split('/');
    return { owner, repo, defaultBranch: default_branch };
  });

const number = z.int().positive();
const branch = z.string().min(1).max(MAX_NAME_CHARACTERS);
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);
const shownName = z.string().transform((text) => [...text].slice(0, MAX_NAME_CHARACTERS).join(''));
const action = shownName.optional();

/** Null for a deleted account. */
const account = z.object({ login: shownName }).nullish();
const sender = account;

export const issueBody = z.object({
  action,
  repository,
  sender,
  issue: z.object({ number }),
  /** New location of a transferred issue. */
  changes: z
    .object({ new_issue: z.object({ number }).optional(), new_repository: repository.optional() })
    .optional()
    .catch(undefined),
});

const comment = z.object({
  id: number,
  user: account,
  body: z.string().nullish(),
  html_url: shownName.nullish(),
  author_association: z.string().nullish(),
});
export type GithubWebhookComment = z.output<typeof comment>;

export const issueCommentBody = z.object({
  action,
  repository,
  sender,
  issue: z.object({ number, pull_request: z.object({}).nullish() }),
  comment,
});

/** The head has no repository if the fork was deleted. */
const pullRequest = z.object({
  number,
  head: z.object({ ref: branch, repo: z.object({ full_name: z.string() }).nullish() }),
});

export const pullRequestBody = z.object({ action, repository, sender, pull_request: pullRequest });
export const reviewBody = pullRequestBody.extend({ review: comment });
export const reviewCommentBody = pullRequestBody.extend({ comment });

/** `ref` is a branch or tag; a tag starts with `refs/tags/`. */
export const pushBody = z.object({ repository, ref: z.string().max(2 * MAX_NAME_CHARACTERS) });

export const labelBody = z.object({ action, repository });

export const projectItemBody = z.object({
  projects_v2_item: z.object({
    node_id: z.string().min(1).max(MAX_NAME_CHARACTERS),
    project_node_id: z.string().min(1).max(MAX_NAME_CHARACTERS),
    content_node_id: z.string().min(1).max(MAX_NAME_CHARACTERS).nullish(),
  }),
});

/** One end of a link between two issues, which may be in different repositories. */
const linked = z.object({ number }).nullish();
const elsewhere = repository.nullish().catch(undefined);

/** Follows GitHub's documentation, which contains no example. */
export const subIssuesBody = z.object({
  repository,
  parent_issue: linked,
  parent_issue_repo: elsewhere,
  sub_issue: linked,
  sub_issue_repo: elsewhere,
});

/** Follows GitHub's documentation, which contains no example. */
export const dependenciesBody = z.object({
  repository,
  blocked_issue: linked,
  blocked_issue_repo: elsewhere,
  blocking_issue: linked,
  blocking_issue_repo: elsewhere,
});

/** Pull requests of the same repository. GitHub omits pull requests from forks. */
const pullRequests = z.array(z.object({ number })).nullish().catch([]);
const time = z.string().nullish();

const suite = z.object({
  id: number,
  head_branch: branch.nullish(),
  head_sha: sha,
  status: z.string().nullish(),
  conclusion: z.string().nullish(),
  updated_at: time,
  pull_requests: pullRequests,
  app: z.object({ name: shownName }).nullish(),
});

export const checkRunBody = z.object({
  repository,
  check_run: z.object({
    id: number,
    name: shownName,
    head_sha: sha,
    status: z.string().nullish(),
    conclusion: z.string().nullish(),
    started_at: time,
    completed_at: time,
    pull_requests: pullRequests,
    check_suite: suite.pick({ id: true, head_branch: true }).nullish(),
  }),
});

export const checkSuiteBody = z.object({ repository, check_suite: suite });

export const workflowRunBody = z.object({
  action,
  repository,
  workflow: z.object({ path: shownName.nullish(), name: shownName.nullish() }).nullish(),
  workflow_run: z.object({
    id: number,
    name: shownName.nullish(),
    path: shownName.nullish(),
    check_suite_id: number.nullish(),
    head_branch: branch.nullish(),
    head_sha: sha,
    status: z.string().nullish(),
    conclusion: z.string().nullish(),
    updated_at: time,
    pull_requests: pullRequests,
  }),
});

export const statusBody = z.object({
  repository,
  id: number,
  sha,
  context: shownName,
  state: z.string(),
  updated_at: time,
  branches: z
    .array(z.object({ name: branch }))
    .nullish()
    .catch([]),
});
