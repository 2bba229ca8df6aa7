/** Maps GitHub's events to wake-ups, notices and check events. */
import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import type { WakeUp, WebhookRepository } from '../../../ports/webhooks.ts';
import type { AddressedNotice } from '../../webhook-support/pending.ts';
import * as bodies from './bodies.ts';
import type { CheckObservation } from './check-summary.ts';
import { buildGithubTopic, findGithubMention, type MentionTarget } from './mention.ts';
import { readCheckRun, readCheckSuite, readCommitStatus, readWorkflowRun } from './read-checks.ts';

/** `accounts` are Legion's own logins. */
type GithubEventReader = (body: unknown, accounts: readonly string[]) => GithubEventFindings;

const READERS: Readonly<Record<string, GithubEventReader>> = {
  ping: () => NO_FINDINGS,
  issues: createEventReader(bodies.issueBody, readIssueEvent),
  issue_comment: createEventReader(bodies.issueCommentBody, readIssueCommentEvent),
  pull_request: createEventReader(bodies.pullRequestBody, (body) =>
    readPullRequestEvent('pull_request', body),
  ),
  pull_request_review: createEventReader(bodies.reviewBody, (body, accounts) =>
    readPullRequestEvent(
      'pull_request_review',
      body,
      body.action === 'submitted' ? body.review : undefined,
      accounts,
    ),
  ),
  pull_request_review_comment: createEventReader(bodies.reviewCommentBody, (body, accounts) =>
    readPullRequestEvent(
      'pull_request_review_comment',
      body,
      body.action === 'created' ? body.comment : undefined,
      accounts,
    ),
  ),
  check_run: createEventReader(bodies.checkRunBody, (body) => ({
    ...NO_FINDINGS,
    checks: [readCheckRun(body)],
  })),
  check_suite: createEventReader(bodies.checkSuiteBody, (body) => ({
    ...NO_FINDINGS,
    checks: [readCheckSuite(body)],
  })),
  workflow_run: createEventReader(bodies.workflowRunBody, readWorkflowEvent),
  status: createEventReader(bodies.statusBody, (body) => ({
    ...NO_FINDINGS,
    checks: [readCommitStatus(body)],
  })),
  push: createEventReader(bodies.pushBody, readPushEvent),
  // Renaming or deleting a label affects every issue that has the label; a new label affects none.
  label: createEventReader(bodies.labelBody, ({ action }) =>
    action === 'created' ? NO_FINDINGS : WAKE_EVERYTHING,
  ),
  projects_v2_item: createEventReader(bodies.projectItemBody, readProjectItemEvent),
  sub_issues: createEventReader(bodies.subIssuesBody, (body) =>
    readIssueLinkEvent(
      [body.parent_issue, body.parent_issue_repo ?? body.repository],
      [body.sub_issue, body.sub_issue_repo ?? body.repository],
    ),
  ),
  issue_dependencies: createEventReader(bodies.dependenciesBody, (body) =>
    readIssueLinkEvent(
      [body.blocked_issue, body.blocked_issue_repo ?? body.repository],
      [body.blocking_issue, body.blocking_issue_repo ?? body.repository],
    ),
  ),
  // Legion's permissions have changed.
  installation: () => WAKE_EVERYTHING,
  installation_repositories: () => WAKE_EVERYTHING,
  installation_target: () => WAKE_EVERYTHING,
};

/**
 * Returns undefined for an irrelevant event. For an event that cannot be read, returns a wake-up
 * for everything.
 */
export function readEvent(
  event: string,
  body: unknown,
  accounts: readonly string[],
): GithubEventFindings | undefined {
  return Object.hasOwn(READERS, event) ? READERS[event]?.(body, accounts) : undefined;
}

function createEventReader<T>(
  schema: z.ZodType<T>,
  read: (body: T, accounts: readonly string[]) => GithubEventFindings,
): GithubEventReader {
  return (body, accounts) => {
    const known = decode(schema, body, 'body');
    return known.ok ? read(known.value, accounts) : WAKE_EVERYTHING;
  };
}

function readIssueEvent({
  action,
  repository,
  sender,
  issue,
  changes,
}: z.output<typeof bodies.issueBody>): GithubEventFindings {
  const wake = [toIssueWakeUp(repository, issue.number)];
  const now = changes?.new_issue;
  if (now !== undefined) wake.push(toIssueWakeUp(changes?.new_repository ?? repository, now.number));
  const { number } = issue;
  const notice = buildEventNotice({
    repository,
    kind: 'issue',
    number,
    event: 'issues',
    action,
    by: sender?.login,
  });
  return { ...NO_FINDINGS, wake, notices: [notice] };
}

function readIssueCommentEvent(
  body: z.output<typeof bodies.issueCommentBody>,
  accounts: readonly string[],
): GithubEventFindings {
  const { action, repository, sender, issue, comment } = body;
  const { owner, repo } = repository;
  const { number } = issue;
  const kind = (issue.pull_request ?? undefined) === undefined ? 'issue' : 'pull_request';
  const notice = buildEventNotice({
    repository,
    kind,
    number,
    event: 'issue_comment',
    action,
    by: sender?.login,
  });
  const mention =
    action === 'created' ? findGithubMention(comment, { owner, repo, number, kind }, accounts) : undefined;
  return {
    ...NO_FINDINGS,
    wake: [toIssueWakeUp(repository, number)],
    notices: mention === undefined ? [notice] : [notice, mention],
  };
}

function readPullRequestEvent(
  event: string,
  { action, repository, sender, pull_request: pr }: z.output<typeof bodies.pullRequestBody>,
  comment?: bodies.GithubWebhookComment,
  accounts: readonly string[] = [],
): GithubEventFindings {
  const { owner, repo } = repository;
  const { number } = pr;
  const wake: WakeUp[] = [toIssueWakeUp(repository, number)];
  // A branch in a fork may have any name, including that of an issue's branch.
  const isOwnBranch = pr.head.repo?.full_name.toLowerCase() === `${owner}/${repo}`.toLowerCase();
  if (isOwnBranch) wake.push({ branch: { owner, repo, branch: pr.head.ref } });
  const target: MentionTarget = { owner, repo, number, kind: 'pull_request' };
  const notice = buildEventNotice({
    repository,
    kind: 'pull_request',
    number,
    event,
    action,
    by: sender?.login,
  });
  const mention = comment === undefined ? undefined : findGithubMention(comment, target, accounts);
  return { ...NO_FINDINGS, wake, notices: mention === undefined ? [notice] : [notice, mention] };
}

function readWorkflowEvent(body: z.output<typeof bodies.workflowRunBody>): GithubEventFindings {
  const { action = 'unknown', repository, workflow, workflow_run: run } = body;
  const path = workflow?.path ?? run.path ?? '';
  // A path may end with the ref from which the workflow was read, as in `ci.yml@main`.
  const file = path.replace(/^.*\//, '').replace(/@.*$/, '');
  const name = `${repository.owner}/${repository.repo}`;
  const notice = {
    text: `${name}: workflow ${file} ${action.replaceAll('_', ' ')}`,
    data: {
      repository: name,
      file,
      action,
      sha: run.head_sha,
      branch: run.head_branch ?? null,
      conclusion: run.conclusion ?? null,
    },
  };
  return {
    ...NO_FINDINGS,
    notices: [{ topic: buildGithubTopic(repository, 'workflow', file, action), notice }],
    checks: [readWorkflowRun(body)],
  };
}

function readPushEvent({ ref, repository }: z.output<typeof bodies.pushBody>): GithubEventFindings {
  const { owner, repo, defaultBranch } = repository;
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
  if (branch === undefined) return NO_FINDINGS;
  // A push to the default branch moves the base of every pull request.
  if (branch === defaultBranch) return WAKE_EVERYTHING;
  return { ...NO_FINDINGS, wake: [{ branch: { owner, repo, branch } }] };
}

function readProjectItemEvent({
  projects_v2_item: item,
}: z.output<typeof bodies.projectItemBody>): GithubEventFindings {
  const { node_id: projectItem, project_node_id: project, content_node_id: content } = item;
  const contentFields = typeof content === 'string' ? { content } : {};
  return { ...NO_FINDINGS, wake: [{ projectItem, project, ...contentFields }] };
}

type IssueLinkEnd = readonly [
  issue: { readonly number: number } | null | undefined,
  repository: WebhookRepository,
];

/**
 * Wakes the issues at both ends of a link. If GitHub omits one end, wakes everything, because that
 * issue is unknown.
 */
function readIssueLinkEvent(...ends: readonly IssueLinkEnd[]): GithubEventFindings {
  const wake = ends.map(([issue, repository]) =>
    issue === null || issue === undefined ? 'everything' : toIssueWakeUp(repository, issue.number),
  );
  return { ...NO_FINDINGS, wake };
}

/**
 * Results of one delivery: wake-ups that say what to read again, notices to publish, and check
 * events.
 */
interface GithubEventFindings {
  readonly wake: readonly WakeUp[];
  readonly notices: readonly AddressedNotice[];
  readonly checks: readonly CheckObservation[];
}

const NO_FINDINGS: GithubEventFindings = { wake: [], notices: [], checks: [] };

/** Used if the affected issue is unknown. */
const WAKE_EVERYTHING: GithubEventFindings = { ...NO_FINDINGS, wake: ['everything'] };

function toIssueWakeUp({ owner, repo }: WebhookRepository, number: number): WakeUp {
  return { issue: { owner, repo, number } };
}

interface GithubEventDetails {
  readonly repository: WebhookRepository;
  readonly kind: 'issue' | 'pull_request';
  readonly number: number;
  /** GitHub's event name. */
  readonly event: string;
  readonly action: string | undefined;
  readonly by: string | undefined;
}

/**
 * Builds a notice without the title and text of its subject, because those are read from the
 * tracker, where their author is known.
 */
function buildEventNotice({
  repository,
  kind,
  number,
  event,
  action = '',
  by,
}: GithubEventDetails): AddressedNotice {
  const name = `${repository.owner}/${repository.repo}`;
  return {
    topic: buildGithubTopic(repository, kind === 'issue' ? 'issue' : 'pr', number),
    notice: {
      text: [`${name}#${number}:`, event.replaceAll('_', ' '), action.replaceAll('_', ' ')]
        .join(' ')
        .trimEnd(),
      data: { repository: name, number, kind, event, action, by: by ?? null },
    },
  };
}
