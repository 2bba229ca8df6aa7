/** What each of GitHub's events means to Legion, one line an event. */
import type { z } from 'zod';
import { decode } from '../../../domain/decode.ts';
import type { CheckSeen } from '../../../envoy/github/check-fold.ts';
import { mentionIn, type Place } from '../../../envoy/github/mention.ts';
import { githubTopic } from '../../../envoy/github/topics.ts';
import type { Addressed } from '../../../envoy/pending.ts';
import type { RepositoryName, WakeUp } from '../../../envoy/receiver.ts';
import * as bodies from './bodies.ts';
import { seenRun, seenStatus, seenSuite, seenWorkflow } from './read-checks.ts';

/** `accounts` are the logins of Legion's own. */
type Reader = (body: unknown, accounts: readonly string[]) => Findings;

const READERS: Readonly<Record<string, Reader>> = {
  ping: () => NOTHING,
  issues: reading(bodies.issueBody, issueChanged),
  issue_comment: reading(bodies.issueCommentBody, issueCommented),
  pull_request: reading(bodies.pullRequestBody, (body) => pullRequestChanged('pull_request', body)),
  pull_request_review: reading(bodies.reviewBody, (body, accounts) =>
    pullRequestChanged(
      'pull_request_review',
      body,
      body.action === 'submitted' ? body.review : undefined,
      accounts,
    ),
  ),
  pull_request_review_comment: reading(bodies.reviewCommentBody, (body, accounts) =>
    pullRequestChanged(
      'pull_request_review_comment',
      body,
      body.action === 'created' ? body.comment : undefined,
      accounts,
    ),
  ),
  check_run: reading(bodies.checkRunBody, (body) => ({ ...NOTHING, checks: [seenRun(body)] })),
  check_suite: reading(bodies.checkSuiteBody, (body) => ({ ...NOTHING, checks: [seenSuite(body)] })),
  workflow_run: reading(bodies.workflowRunBody, workflowRan),
  status: reading(bodies.statusBody, (body) => ({ ...NOTHING, checks: [seenStatus(body)] })),
  push: reading(bodies.pushBody, pushed),
  // A label that is renamed or deleted changes on every issue that has it; a new one is on none.
  label: reading(bodies.labelBody, ({ action }) => (action === 'created' ? NOTHING : EVERYTHING)),
  projects_v2_item: reading(bodies.projectItemBody, itemChanged),
  sub_issues: reading(bodies.subIssuesBody, (body) =>
    linkChanged(
      [body.parent_issue, body.parent_issue_repo ?? body.repository],
      [body.sub_issue, body.sub_issue_repo ?? body.repository],
    ),
  ),
  issue_dependencies: reading(bodies.dependenciesBody, (body) =>
    linkChanged(
      [body.blocked_issue, body.blocked_issue_repo ?? body.repository],
      [body.blocking_issue, body.blocking_issue_repo ?? body.repository],
    ),
  ),
  // What Legion may see and do has changed.
  installation: () => EVERYTHING,
  installation_repositories: () => EVERYTHING,
  installation_target: () => EVERYTHING,
};

/** Undefined for an event that means nothing to Legion. One that cannot be read is a reason to look at everything. */
export function readEvent(event: string, body: unknown, accounts: readonly string[]): Findings | undefined {
  return Object.hasOwn(READERS, event) ? READERS[event]?.(body, accounts) : undefined;
}

function reading<T>(schema: z.ZodType<T>, read: (body: T, accounts: readonly string[]) => Findings): Reader {
  return (body, accounts) => {
    const known = decode(schema, body, 'body');
    return known.ok ? read(known.value, accounts) : EVERYTHING;
  };
}

function issueChanged({
  action,
  repository,
  sender,
  issue,
  changes,
}: z.output<typeof bodies.issueBody>): Findings {
  const wake = [wakeIssue(repository, issue.number)];
  const now = changes?.new_issue;
  if (now !== undefined) wake.push(wakeIssue(changes?.new_repository ?? repository, now.number));
  const { number } = issue;
  const notice = happened({ repository, kind: 'issue', number, event: 'issues', action, by: sender?.login });
  return { ...NOTHING, wake, notices: [notice] };
}

function issueCommented(
  body: z.output<typeof bodies.issueCommentBody>,
  accounts: readonly string[],
): Findings {
  const { action, repository, sender, issue, comment } = body;
  const { owner, repo } = repository;
  const { number } = issue;
  const kind = (issue.pull_request ?? undefined) === undefined ? 'issue' : 'pull_request';
  const notice = happened({ repository, kind, number, event: 'issue_comment', action, by: sender?.login });
  const mention =
    action === 'created' ? mentionIn(comment, { owner, repo, number, kind }, accounts) : undefined;
  return {
    ...NOTHING,
    wake: [wakeIssue(repository, number)],
    notices: mention === undefined ? [notice] : [notice, mention],
  };
}

function pullRequestChanged(
  event: string,
  { action, repository, sender, pull_request: pr }: z.output<typeof bodies.pullRequestBody>,
  comment?: bodies.Comment,
  accounts: readonly string[] = [],
): Findings {
  const { owner, repo } = repository;
  const { number } = pr;
  const wake: WakeUp[] = [wakeIssue(repository, number)];
  // A branch of a fork may have any name, that of an issue's branch included.
  const isOwnBranch = pr.head.repo?.full_name.toLowerCase() === `${owner}/${repo}`.toLowerCase();
  if (isOwnBranch) wake.push({ branch: { owner, repo, branch: pr.head.ref } });
  const place: Place = { owner, repo, number, kind: 'pull_request' };
  const notice = happened({ repository, kind: 'pull_request', number, event, action, by: sender?.login });
  const mention = comment === undefined ? undefined : mentionIn(comment, place, accounts);
  return { ...NOTHING, wake, notices: mention === undefined ? [notice] : [notice, mention] };
}

function workflowRan(body: z.output<typeof bodies.workflowRunBody>): Findings {
  const { action = 'unknown', repository, workflow, workflow_run: run } = body;
  const path = workflow?.path ?? run.path ?? '';
  // A path may end in the ref it was read from, as in `ci.yml@main`.
  const file = path.replace(/^.*\//, '').replace(/@.*$/, '');
  const name = `${repository.owner}/${repository.repo}`;
  const notice = {
    text: `${name}: workflow ${file} ${action.replaceAll('_', ' ')}`,
    data: {
      ...{ repository: name, file, action, sha: run.head_sha, branch: run.head_branch ?? null },
      conclusion: run.conclusion ?? null,
    },
  };
  return {
    ...NOTHING,
    notices: [{ topic: githubTopic(repository, 'workflow', file, action), notice }],
    checks: [seenWorkflow(body)],
  };
}

function pushed({ ref, repository }: z.output<typeof bodies.pushBody>): Findings {
  const { owner, repo, defaultBranch } = repository;
  const [, branch] = /^refs\/heads\/(.+)$/s.exec(ref) ?? [];
  if (branch === undefined) return NOTHING;
  // What every pull request is merged into has moved.
  if (branch === defaultBranch) return EVERYTHING;
  return { ...NOTHING, wake: [{ branch: { owner, repo, branch } }] };
}

function itemChanged({ projects_v2_item: item }: z.output<typeof bodies.projectItemBody>): Findings {
  const { node_id: projectItem, project_node_id: project, content_node_id: content } = item;
  const shows = typeof content === 'string' ? { content } : {};
  return { ...NOTHING, wake: [{ projectItem, project, ...shows }] };
}

type Linked = readonly [issue: { readonly number: number } | null | undefined, repository: RepositoryName];

/** Both ends; where GitHub leaves one out, it is not known what else the link touches. */
function linkChanged(...ends: readonly Linked[]): Findings {
  const wake = ends.map(([issue, repository]) =>
    issue === null || issue === undefined ? 'everything' : wakeIssue(repository, issue.number),
  );
  return { ...NOTHING, wake };
}

/** What one delivery says: what may be worth looking at, what people may want to hear, what is so with a check. */
interface Findings {
  readonly wake: readonly WakeUp[];
  readonly notices: readonly Addressed[];
  readonly checks: readonly CheckSeen[];
}

const NOTHING: Findings = { wake: [], notices: [], checks: [] };

/** It happened, but it cannot be said to what. */
const EVERYTHING: Findings = { ...NOTHING, wake: ['everything'] };

function wakeIssue({ owner, repo }: RepositoryName, number: number): WakeUp {
  return { issue: { owner, repo, number } };
}

interface Happened {
  readonly repository: RepositoryName;
  readonly kind: 'issue' | 'pull_request';
  readonly number: number;
  /** GitHub's name of the event. */
  readonly event: string;
  readonly action: string | undefined;
  readonly by: string | undefined;
}

/** No title and no text: those are read where it is known who wrote them. */
function happened({ repository, kind, number, event, action = '', by }: Happened): Addressed {
  const name = `${repository.owner}/${repository.repo}`;
  return {
    topic: githubTopic(repository, kind === 'issue' ? 'issue' : 'pr', number),
    notice: {
      text: [`${name}#${number}:`, event.replaceAll('_', ' '), action.replaceAll('_', ' ')]
        .join(' ')
        .trimEnd(),
      data: { repository: name, number, kind, event, action, by: by ?? null },
    },
  };
}
