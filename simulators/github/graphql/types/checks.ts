/** Resolves fields of commits, branches and their CI results. */
import { computeRollupState, listLatestChecks, nameOfCheck } from '../../model/checks.ts';
import type {
  CheckRunNode,
  CommitNode,
  PullRequest,
  RefNode,
  Repository,
  StatusNode,
} from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolver, GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime, SchemaValue } from '../shape.ts';
import { toProtectionValue, updateRuleShape } from './protection.ts';
import { toRepositoryPath } from './urls.ts';

/** GitHub's short commit ids have seven digits. */
const SHORT = 7;

export function toCommitNode(repository: Repository, oid: string): CommitNode {
  return { type: 'Commit', repository, oid };
}

export function findRefNode(repository: Repository, name: string): RefNode | null {
  const oid = repository.refs.get(`refs/heads/${name}`);
  return oid === undefined ? null : { type: 'Ref', repository, name, oid };
}

/** Returns null if the commit has no checks, as on GitHub. */
export function toRollupValue(repository: Repository, oid: string): SchemaValue | null {
  const state = computeRollupState(repository, oid);
  if (state === undefined) return null;
  return new SchemaValue('StatusCheckRollup', {
    id: `SCR_${oid}`,
    state,
    commit: toCommitNode(repository, oid),
    of: { repository, oid },
  });
}

const REQUIRED: GithubResolver = (
  it: CheckRunNode | StatusNode,
  { pullRequestId, pullRequestNumber }: { pullRequestId?: string; pullRequestNumber?: number },
  { world }: GithubResolverContext,
) => {
  const found =
    pullRequestId == null
      ? it.repository.threads[(pullRequestNumber ?? 0) - 1]
      : world.nodes.get(pullRequestId);
  const base = found?.type === 'PullRequest' ? found.base : it.repository.base;
  return it.repository.protections.get(base)?.requiredChecks?.includes(nameOfCheck(it)) ?? false;
};

export const CHECKS: GithubResolverTable = {
  Commit: {
    id: (it: CommitNode) => `C_${it.oid}`,
    oid: (it: CommitNode) => it.oid,
    abbreviatedOid: (it: CommitNode) => it.oid.slice(0, SHORT),
    repository: (it: CommitNode) => it.repository,
    url: (it: CommitNode, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toRepositoryPath(it.repository)}/commit/${it.oid}`,
    message: async (it: CommitNode, _: unknown, context: GithubResolverContext) =>
      (await readCommitFacts(it, context)).message,
    messageHeadline: async (it: CommitNode, _: unknown, context: GithubResolverContext) =>
      (await readCommitFacts(it, context)).message.split('\n')[0],
    committedDate: async (it: CommitNode, _: unknown, context: GithubResolverContext) =>
      formatGithubTime((await readCommitFacts(it, context)).committedAt),
    parents: async (it: CommitNode, page: PageArguments, context: GithubResolverContext) => {
      const { parents } = await readCommitFacts(it, context);
      return buildConnection(
        'CommitConnection',
        parents.map((oid) => toCommitNode(it.repository, oid)),
        page,
      );
    },
    statusCheckRollup: (it: CommitNode) => toRollupValue(it.repository, it.oid),
    associatedPullRequests: (it: CommitNode, page: PageArguments) =>
      buildConnection(
        'PullRequestConnection',
        it.repository.threads.filter(
          (each): each is PullRequest =>
            each.type === 'PullRequest' && (each.headOid === it.oid || each.merged?.oid === it.oid),
        ),
        page,
      ),
  },
  StatusCheckRollup: {
    contexts: (it: SchemaValue, page: PageArguments) => {
      const { of } = it.fields;
      const { repository, oid } = of as { repository: Repository; oid: string };
      const checks = listLatestChecks(repository, oid);
      const runs = checks.filter(({ type }) => type === 'CheckRun').length;
      return buildConnection('StatusCheckRollupContextConnection', checks, page, {
        fields: {
          checkRunCount: runs,
          statusContextCount: checks.length - runs,
          checkRunCountsByState: countByState('CheckRun', checks),
          statusContextCountsByState: countByState('StatusContext', checks),
        },
      });
    },
  },
  CheckRun: {
    id: (it: CheckRunNode) => it.id,
    databaseId: (it: CheckRunNode) => it.databaseId,
    name: (it: CheckRunNode) => it.name,
    status: (it: CheckRunNode) => (it.conclusion === null ? 'IN_PROGRESS' : 'COMPLETED'),
    conclusion: (it: CheckRunNode) => it.conclusion,
    startedAt: (it: CheckRunNode) => formatGithubTime(it.createdAt),
    completedAt: (it: CheckRunNode) => formatGithubTime(it.completedAt),
    summary: (it: CheckRunNode) => it.summary,
    title: (it: CheckRunNode) => (it.summary === null ? null : it.name),
    text: () => null,
    repository: (it: CheckRunNode) => it.repository,
    isRequired: REQUIRED,
    // The URL of a GitHub Actions job contains the number of its check run. Checks of other
    // services have no job here.
    detailsUrl: (it: CheckRunNode, _: unknown, { url }: GithubResolverContext) => buildDetailsUrl(it, url),
    url: (it: CheckRunNode, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toRepositoryPath(it.repository)}/runs/${it.databaseId}`,
    permalink: (it: CheckRunNode, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toRepositoryPath(it.repository)}/runs/${it.databaseId}`,
    checkSuite: (it: CheckRunNode) =>
      new SchemaValue('CheckSuite', {
        id: `CS_${it.sha}`,
        commit: toCommitNode(it.repository, it.sha),
        repository: it.repository,
        app:
          it.log === undefined
            ? null
            : new SchemaValue('App', {
                id: 'A_actions',
                databaseId: 15_368,
                slug: 'github-actions',
                name: 'GitHub Actions',
              }),
        workflowRun:
          it.log === undefined
            ? null
            : new SchemaValue('WorkflowRun', { id: `WFR_${it.sha}`, databaseId: it.databaseId }),
      }),
  },
  StatusContext: {
    id: (it: StatusNode) => it.id,
    context: (it: StatusNode) => it.context,
    state: (it: StatusNode) => it.state,
    description: (it: StatusNode) => it.description,
    targetUrl: () => null,
    createdAt: (it: StatusNode) => formatGithubTime(it.createdAt),
    creator: (it: StatusNode) => it.repository.owner,
    commit: (it: StatusNode) => toCommitNode(it.repository, it.sha),
    isRequired: REQUIRED,
  },
  Ref: {
    id: (it: RefNode) => toRefId(it),
    name: (it: RefNode) => it.name,
    prefix: () => 'refs/heads/',
    repository: (it: RefNode) => it.repository,
    target: (it: RefNode) => toCommitNode(it.repository, it.oid),
    branchProtectionRule: (it: RefNode) => toProtectionValue(it.repository, it.name),
    refUpdateRule: (it: RefNode) => updateRuleShape(it.repository, it.name),
    associatedPullRequests: (it: RefNode, page: PageArguments & { states?: string[] | null }) =>
      buildConnection(
        'PullRequestConnection',
        it.repository.threads.filter(
          (each): each is PullRequest =>
            each.type === 'PullRequest' &&
            each.head === it.name &&
            (page.states?.includes(each.state) ?? true),
        ),
        page,
      ),
  },
};

function countByState(
  type: (CheckRunNode | StatusNode)['type'],
  checks: readonly (CheckRunNode | StatusNode)[],
): SchemaValue[] {
  const found = new Map<string, number>();
  for (const check of checks) {
    if (check.type !== type) continue;
    const state = check.type === 'CheckRun' ? (check.conclusion ?? 'IN_PROGRESS') : check.state;
    found.set(state, (found.get(state) ?? 0) + 1);
  }
  return [...found].map(([state, count]) => new SchemaValue(`${type}StateCount`, { state, count }));
}

export function toRefId({ repository, name }: RefNode): string {
  return `REF_${Buffer.from(`${repository.id}:${name}`).toString('base64url')}`;
}

function buildDetailsUrl(check: CheckRunNode, url: string): string {
  const place = `${url}${toRepositoryPath(check.repository)}`;
  return check.log === undefined
    ? `${place}/runs/${check.databaseId}`
    : `${place}/actions/runs/${check.databaseId}/job/${check.databaseId}`;
}

function readCommitFacts({ repository, oid }: CommitNode, { facts }: GithubResolverContext) {
  return facts.commit(repository.folder, oid);
}
