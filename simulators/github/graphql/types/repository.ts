/** Resolves fields of repositories. */
import { getPermission, getTokenPermission, isCollaborator, isPermissionEnough } from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import { findLabel } from '../../model/labels.ts';
import type { Issue, Label, PullRequest, RefNode, Repository } from '../../model/nodes.ts';
import { nameOf } from '../../model/repositories.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime } from '../shape.ts';
import { findRefNode, toCommitNode } from './checks.ts';
import { toProtectionValue } from './protection.ts';
import { toRepositoryPath } from './urls.ts';

interface IssueFilters {
  readonly since?: string | null;
  readonly createdBy?: string | null;
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
}

interface ThreadListArguments extends PageArguments {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly orderBy?: { readonly field: string; readonly direction: string } | null;
  readonly filterBy?: IssueFilters | null;
  readonly headRefName?: string | null;
  readonly baseRefName?: string | null;
}

export const REPOSITORY: GithubResolverTable = {
  Repository: {
    id: (it: Repository) => it.id,
    databaseId: (it: Repository) => it.databaseId,
    name: (it: Repository) => it.name,
    nameWithOwner: (it: Repository) => nameOf(it),
    owner: (it: Repository) => it.owner,
    description: () => null,
    isPrivate: (it: Repository) => it.private,
    isArchived: () => false,
    isDisabled: () => false,
    isFork: () => false,
    isEmpty: () => false,
    isInOrganization: (it: Repository) => it.owner.type === 'Organization',
    visibility: (it: Repository) => (it.private ? 'PRIVATE' : 'PUBLIC'),
    hasIssuesEnabled: () => true,
    squashMergeAllowed: () => true,
    mergeCommitAllowed: () => true,
    rebaseMergeAllowed: () => false,
    autoMergeAllowed: () => false,
    deleteBranchOnMerge: () => false,
    createdAt: (it: Repository) => formatGithubTime(it.createdAt),
    pushedAt: (it: Repository) => formatGithubTime(it.pushedAt),
    url: (it: Repository, _: unknown, { url }: GithubResolverContext) => `${url}${toRepositoryPath(it)}`,
    resourcePath: (it: Repository) => toRepositoryPath(it),
    viewerPermission: (it: Repository, _: unknown, { token }: GithubResolverContext) =>
      getTokenPermission(it, token) ?? null,
    viewerCanAdminister: (it: Repository, _: unknown, { token }: GithubResolverContext) =>
      getTokenPermission(it, token) === 'ADMIN',
    defaultBranchRef: (it: Repository) => findRefNode(it, it.base),
    ref: (it: Repository, { qualifiedName }: { qualifiedName: string }) =>
      findRefNode(it, qualifiedName.replace(/^refs\/heads\//, '')),
    refs: (it: Repository, page: PageArguments & { refPrefix: string; query?: string | null }) => {
      const names = [...it.refs.keys()].filter((ref) => ref.startsWith(page.refPrefix)).sort();
      const refs = names
        .map((ref) => findRefNode(it, ref.replace('refs/heads/', '')))
        .filter((ref): ref is RefNode => ref !== null);
      return buildConnection(
        'RefConnection',
        refs.filter(({ name }) => name.includes(page.query ?? '')),
        page,
      );
    },
    object: async (
      it: Repository,
      { oid, expression }: { oid?: string; expression?: string },
      { facts }: GithubResolverContext,
    ) => {
      const wanted =
        oid ?? it.refs.get(`refs/heads/${expression?.replace(/^refs\/heads\//, '')}`) ?? expression ?? '';
      return (await facts.exists(it.folder, wanted)) ? toCommitNode(it, wanted) : null;
    },
    label: (it: Repository, { name }: { name: string }) => findLabel(it, name) ?? null,
    labels: (it: Repository, page: PageArguments & { query?: string | null }) =>
      buildConnection(
        'LabelConnection',
        it.labels.filter((label) => matchLabelName(label, page.query)),
        page,
      ),
    issue: (it: Repository, { number }: { number: number }) => {
      const found = it.threads[number - 1];
      if (found?.type === 'Issue') return found;
      throw new GithubRefusal('NOT_FOUND', `Could not resolve to an Issue with the number of ${number}.`);
    },
    pullRequest: (it: Repository, { number }: { number: number }) => {
      const found = it.threads[number - 1];
      if (found?.type === 'PullRequest') return found;
      throw new GithubRefusal(
        'NOT_FOUND',
        `Could not resolve to a PullRequest with the number of ${number}.`,
      );
    },
    issueOrPullRequest: (it: Repository, { number }: { number: number }) => {
      const found = it.threads[number - 1];
      if (found !== undefined) return found;
      throw new GithubRefusal(
        'NOT_FOUND',
        `Could not resolve to an issue or pull request with the number of ${number}.`,
      );
    },
    issues: (it: Repository, page: ThreadListArguments) =>
      buildConnection(
        'IssueConnection',
        filterThreads(
          it.threads.filter((each) => each.type === 'Issue'),
          page,
        ),
        page,
      ),
    pullRequests: (it: Repository, page: ThreadListArguments) => {
      // Reads the arguments before the search. Otherwise, if there is nothing to search, nothing
      // would read them, and unread arguments are rejected.
      const { headRefName, baseRefName } = page;
      const all = it.threads.filter((each): each is PullRequest => each.type === 'PullRequest');
      const branches = all.filter(
        ({ head, base }) =>
          (headRefName == null || head === headRefName) && (baseRefName == null || base === baseRefName),
      );
      return buildConnection('PullRequestConnection', filterThreads(branches, page), page);
    },
    collaborators: (
      it: Repository,
      page: PageArguments & { login?: string | null; query?: string | null },
      context: GithubResolverContext,
    ) => {
      // An app may read collaborators with its metadata permission, which every app has.
      if (
        context.token.installation === undefined &&
        !isPermissionEnough(getTokenPermission(it, context.token), 'WRITE')
      ) {
        throw new GithubRefusal('FORBIDDEN', 'You do not have permission to view repository collaborators.');
      }
      const people = [...context.world.accounts.values()].filter(
        (account) =>
          account.type === 'User' &&
          isCollaborator(it, account) &&
          (page.login == null || account.login.toLowerCase() === page.login.toLowerCase()) &&
          (page.query == null || account.login.includes(page.query)),
      );
      return buildConnection('RepositoryCollaboratorConnection', people, page, {
        edge: (account) => ({ permission: getPermission(it, account) }),
      });
    },
    branchProtectionRules: (it: Repository, page: PageArguments) =>
      buildConnection(
        'BranchProtectionRuleConnection',
        [...it.protections.keys()].flatMap((branch) => toProtectionValue(it, branch) ?? []),
        page,
      ),
  },
};

function filterThreads<T extends Issue | PullRequest>(
  threads: readonly T[],
  { states, labels, orderBy, filterBy }: ThreadListArguments,
): T[] {
  const found = threads.filter(
    (thread) =>
      (states == null || states.includes(thread.state)) &&
      (labels == null || thread.labels.some(({ name }) => labels.includes(name))) &&
      (filterBy == null || matchFilters(thread, filterBy)),
  );
  const key = (thread: T) => {
    if (orderBy?.field === 'UPDATED_AT') return thread.updatedAt;
    return orderBy?.field === 'COMMENTS' ? thread.comments.length : thread.databaseId;
  };
  const sign = orderBy?.direction === 'DESC' ? -1 : 1;
  // If two nodes have the same time to the second, the one with the higher number is the later one.
  return found.sort((a, b) => sign * (key(a) - key(b) || a.databaseId - b.databaseId));
}

const KNOWN_FILTERS = ['since', 'createdBy', 'states', 'labels'];

function matchFilters(thread: Issue | PullRequest, filters: IssueFilters): boolean {
  // Ignores filters whose value is false, because the schema itself adds the default
  // `viewerSubscribed: false`.
  const asked = Object.entries(filters).filter(([, value]) => value != null && value !== false);
  const unknown = asked.map(([name]) => name).filter((name) => !KNOWN_FILTERS.includes(name));
  if (unknown.length > 0) {
    throw new GithubRefusal('NOT_SIMULATED', `The simulator does not filter issues by ${unknown.join(', ')}`);
  }
  const { since, createdBy, states, labels } = filters;
  return (
    (since == null || thread.updatedAt >= Date.parse(since) / 1000) &&
    (createdBy == null || thread.author.login.toLowerCase() === createdBy.toLowerCase()) &&
    (states == null || states.includes(thread.state)) &&
    (labels == null || labels.every((label) => thread.labels.some(({ name }) => name === label)))
  );
}

function matchLabelName({ name }: Label, query: string | null | undefined): boolean {
  return query == null || name.toLowerCase().includes(query.toLowerCase());
}
