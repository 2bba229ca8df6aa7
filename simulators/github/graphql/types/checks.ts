/** Fields of commits, branches and of what CI says about them. */
import { checksOf, nameOfCheck, rollupOf } from '../../model/checks.ts';
import type {
  CheckRunNode,
  CommitNode,
  PullRequest,
  RefNode,
  Repository,
  StatusNode,
} from '../../model/nodes.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Resolver, Table } from '../context.ts';
import { Shape, time } from '../shape.ts';
import { protectionShape, updateRuleShape } from './protection.ts';
import { repositoryPath } from './urls.ts';

/** GitHub's short ids have seven digits. */
const SHORT = 7;

export function commitOf(repository: Repository, oid: string): CommitNode {
  return { type: 'Commit', repository, oid };
}

export function refOf(repository: Repository, name: string): RefNode | null {
  const oid = repository.refs.get(`refs/heads/${name}`);
  return oid === undefined ? null : { type: 'Ref', repository, name, oid };
}

/** Undefined where nothing has ever checked the commit, which GitHub shows as null. */
export function rollupShape(repository: Repository, oid: string): Shape | null {
  const state = rollupOf(repository, oid);
  if (state === undefined) return null;
  return new Shape('StatusCheckRollup', {
    id: `SCR_${oid}`,
    state,
    commit: commitOf(repository, oid),
    of: { repository, oid },
  });
}

const REQUIRED: Resolver = (
  it: CheckRunNode | StatusNode,
  { pullRequestId, pullRequestNumber }: { pullRequestId?: string; pullRequestNumber?: number },
  { world }: Context,
) => {
  const found =
    pullRequestId == null
      ? it.repository.threads[(pullRequestNumber ?? 0) - 1]
      : world.nodes.get(pullRequestId);
  const base = found?.type === 'PullRequest' ? found.base : it.repository.base;
  return it.repository.protections.get(base)?.requiredChecks?.includes(nameOfCheck(it)) ?? false;
};

export const CHECKS: Table = {
  Commit: {
    id: (it: CommitNode) => `C_${it.oid}`,
    oid: (it: CommitNode) => it.oid,
    abbreviatedOid: (it: CommitNode) => it.oid.slice(0, SHORT),
    repository: (it: CommitNode) => it.repository,
    url: (it: CommitNode, _: unknown, { url }: Context) =>
      `${url}${repositoryPath(it.repository)}/commit/${it.oid}`,
    message: async (it: CommitNode, _: unknown, context: Context) => (await commitFacts(it, context)).message,
    messageHeadline: async (it: CommitNode, _: unknown, context: Context) =>
      (await commitFacts(it, context)).message.split('\n')[0],
    committedDate: async (it: CommitNode, _: unknown, context: Context) =>
      time((await commitFacts(it, context)).committedAt),
    parents: async (it: CommitNode, page: Page, context: Context) => {
      const { parents } = await commitFacts(it, context);
      return connection(
        'CommitConnection',
        parents.map((oid) => commitOf(it.repository, oid)),
        page,
      );
    },
    statusCheckRollup: (it: CommitNode) => rollupShape(it.repository, it.oid),
    associatedPullRequests: (it: CommitNode, page: Page) =>
      connection(
        'PullRequestConnection',
        it.repository.threads.filter(
          (each): each is PullRequest =>
            each.type === 'PullRequest' && (each.headOid === it.oid || each.merged?.oid === it.oid),
        ),
        page,
      ),
  },
  StatusCheckRollup: {
    contexts: (it: Shape, page: Page) => {
      const { of } = it.fields;
      const { repository, oid } = of as { repository: Repository; oid: string };
      const checks = checksOf(repository, oid);
      const runs = checks.filter(({ type }) => type === 'CheckRun').length;
      return connection('StatusCheckRollupContextConnection', checks, page, {
        fields: {
          checkRunCount: runs,
          statusContextCount: checks.length - runs,
          checkRunCountsByState: counts('CheckRun', checks),
          statusContextCountsByState: counts('StatusContext', checks),
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
    startedAt: (it: CheckRunNode) => time(it.createdAt),
    completedAt: (it: CheckRunNode) => time(it.completedAt),
    summary: (it: CheckRunNode) => it.summary,
    title: (it: CheckRunNode) => (it.summary === null ? null : it.name),
    text: () => null,
    repository: (it: CheckRunNode) => it.repository,
    isRequired: REQUIRED,
    // A job of GitHub Actions is found by the number of its check run; another service's check has no job here.
    detailsUrl: (it: CheckRunNode, _: unknown, { url }: Context) => detailsUrl(it, url),
    url: (it: CheckRunNode, _: unknown, { url }: Context) =>
      `${url}${repositoryPath(it.repository)}/runs/${it.databaseId}`,
    permalink: (it: CheckRunNode, _: unknown, { url }: Context) =>
      `${url}${repositoryPath(it.repository)}/runs/${it.databaseId}`,
    checkSuite: (it: CheckRunNode) =>
      new Shape('CheckSuite', {
        id: `CS_${it.sha}`,
        commit: commitOf(it.repository, it.sha),
        repository: it.repository,
        app:
          it.log === undefined
            ? null
            : new Shape('App', {
                id: 'A_actions',
                databaseId: 15_368,
                slug: 'github-actions',
                name: 'GitHub Actions',
              }),
        workflowRun:
          it.log === undefined
            ? null
            : new Shape('WorkflowRun', { id: `WFR_${it.sha}`, databaseId: it.databaseId }),
      }),
  },
  StatusContext: {
    id: (it: StatusNode) => it.id,
    context: (it: StatusNode) => it.context,
    state: (it: StatusNode) => it.state,
    description: (it: StatusNode) => it.description,
    targetUrl: () => null,
    createdAt: (it: StatusNode) => time(it.createdAt),
    creator: (it: StatusNode) => it.repository.owner,
    commit: (it: StatusNode) => commitOf(it.repository, it.sha),
    isRequired: REQUIRED,
  },
  Ref: {
    id: (it: RefNode) => refId(it),
    name: (it: RefNode) => it.name,
    prefix: () => 'refs/heads/',
    repository: (it: RefNode) => it.repository,
    target: (it: RefNode) => commitOf(it.repository, it.oid),
    branchProtectionRule: (it: RefNode) => protectionShape(it.repository, it.name),
    refUpdateRule: (it: RefNode) => updateRuleShape(it.repository, it.name),
    associatedPullRequests: (it: RefNode, page: Page & { states?: string[] | null }) =>
      connection(
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

function counts(
  type: (CheckRunNode | StatusNode)['type'],
  checks: readonly (CheckRunNode | StatusNode)[],
): Shape[] {
  const found = new Map<string, number>();
  for (const check of checks) {
    if (check.type !== type) continue;
    const state = check.type === 'CheckRun' ? (check.conclusion ?? 'IN_PROGRESS') : check.state;
    found.set(state, (found.get(state) ?? 0) + 1);
  }
  return [...found].map(([state, count]) => new Shape(`${type}StateCount`, { state, count }));
}

export function refId({ repository, name }: RefNode): string {
  return `REF_${Buffer.from(`${repository.id}:${name}`).toString('base64url')}`;
}

function detailsUrl(check: CheckRunNode, url: string): string {
  const place = `${url}${repositoryPath(check.repository)}`;
  return check.log === undefined
    ? `${place}/runs/${check.databaseId}`
    : `${place}/actions/runs/${check.databaseId}/job/${check.databaseId}`;
}

function commitFacts({ repository, oid }: CommitNode, { facts }: Context) {
  return facts.commit(repository.folder, oid);
}
