/** Fields of repositories. */
import { isCollaborator, permissionOf, reaches, tokenPermission } from '../../model/access.ts';
import { GithubRefusal } from '../../model/fault.ts';
import { findLabel } from '../../model/labels.ts';
import type { Issue, Label, PullRequest, RefNode, Repository } from '../../model/nodes.ts';
import { nameOf } from '../../model/repositories.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Table } from '../context.ts';
import { time } from '../shape.ts';
import { commitOf, refOf } from './checks.ts';
import { protectionShape } from './protection.ts';
import { repositoryPath } from './urls.ts';

interface IssueFilters {
  readonly since?: string | null;
  readonly createdBy?: string | null;
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
}

interface Listing extends Page {
  readonly states?: readonly string[] | null;
  readonly labels?: readonly string[] | null;
  readonly orderBy?: { readonly field: string; readonly direction: string } | null;
  readonly filterBy?: IssueFilters | null;
  readonly headRefName?: string | null;
  readonly baseRefName?: string | null;
}

export const REPOSITORY: Table = {
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
    createdAt: (it: Repository) => time(it.createdAt),
    pushedAt: (it: Repository) => time(it.pushedAt),
    url: (it: Repository, _: unknown, { url }: Context) => `${url}${repositoryPath(it)}`,
    resourcePath: (it: Repository) => repositoryPath(it),
    viewerPermission: (it: Repository, _: unknown, { token }: Context) => tokenPermission(it, token) ?? null,
    viewerCanAdminister: (it: Repository, _: unknown, { token }: Context) =>
      tokenPermission(it, token) === 'ADMIN',
    defaultBranchRef: (it: Repository) => refOf(it, it.base),
    ref: (it: Repository, { qualifiedName }: { qualifiedName: string }) =>
      refOf(it, qualifiedName.replace(/^refs\/heads\//, '')),
    refs: (it: Repository, page: Page & { refPrefix: string; query?: string | null }) => {
      const names = [...it.refs.keys()].filter((ref) => ref.startsWith(page.refPrefix)).sort();
      const refs = names
        .map((ref) => refOf(it, ref.replace('refs/heads/', '')))
        .filter((ref): ref is RefNode => ref !== null);
      return connection(
        'RefConnection',
        refs.filter(({ name }) => name.includes(page.query ?? '')),
        page,
      );
    },
    object: async (
      it: Repository,
      { oid, expression }: { oid?: string; expression?: string },
      { facts }: Context,
    ) => {
      const wanted =
        oid ?? it.refs.get(`refs/heads/${expression?.replace(/^refs\/heads\//, '')}`) ?? expression ?? '';
      return (await facts.exists(it.folder, wanted)) ? commitOf(it, wanted) : null;
    },
    label: (it: Repository, { name }: { name: string }) => findLabel(it, name) ?? null,
    labels: (it: Repository, page: Page & { query?: string | null }) =>
      connection(
        'LabelConnection',
        it.labels.filter((label) => matches(label, page.query)),
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
    issues: (it: Repository, page: Listing) =>
      connection(
        'IssueConnection',
        listed(
          it.threads.filter((each) => each.type === 'Issue'),
          page,
        ),
        page,
      ),
    pullRequests: (it: Repository, page: Listing) => {
      // Read before the search: with nothing to search, they would look as if nobody had read them.
      const { headRefName, baseRefName } = page;
      const all = it.threads.filter((each): each is PullRequest => each.type === 'PullRequest');
      const branches = all.filter(
        ({ head, base }) =>
          (headRefName == null || head === headRefName) && (baseRefName == null || base === baseRefName),
      );
      return connection('PullRequestConnection', listed(branches, page), page);
    },
    collaborators: (
      it: Repository,
      page: Page & { login?: string | null; query?: string | null },
      context: Context,
    ) => {
      // An app reads them with the metadata that every app may read.
      if (context.token.installation === undefined && !reaches(tokenPermission(it, context.token), 'WRITE')) {
        throw new GithubRefusal('FORBIDDEN', 'You do not have permission to view repository collaborators.');
      }
      const people = [...context.world.accounts.values()].filter(
        (account) =>
          account.type === 'User' &&
          isCollaborator(it, account) &&
          (page.login == null || account.login.toLowerCase() === page.login.toLowerCase()) &&
          (page.query == null || account.login.includes(page.query)),
      );
      return connection('RepositoryCollaboratorConnection', people, page, {
        edge: (account) => ({ permission: permissionOf(it, account) }),
      });
    },
    branchProtectionRules: (it: Repository, page: Page) =>
      connection(
        'BranchProtectionRuleConnection',
        [...it.protections.keys()].flatMap((branch) => protectionShape(it, branch) ?? []),
        page,
      ),
  },
};

function listed<T extends Issue | PullRequest>(
  threads: readonly T[],
  { states, labels, orderBy, filterBy }: Listing,
): T[] {
  const found = threads.filter(
    (thread) =>
      (states == null || states.includes(thread.state)) &&
      (labels == null || thread.labels.some(({ name }) => labels.includes(name))) &&
      (filterBy == null || passes(thread, filterBy)),
  );
  const key = (thread: T) => {
    if (orderBy?.field === 'UPDATED_AT') return thread.updatedAt;
    return orderBy?.field === 'COMMENTS' ? thread.comments.length : thread.databaseId;
  };
  const sign = orderBy?.direction === 'DESC' ? -1 : 1;
  // Within one second the later one by its number.
  return found.sort((a, b) => sign * (key(a) - key(b) || a.databaseId - b.databaseId));
}

const KNOWN_FILTERS = ['since', 'createdBy', 'states', 'labels'];

function passes(thread: Issue | PullRequest, filters: IssueFilters): boolean {
  // The schema itself fills in `viewerSubscribed: false`.
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

function matches({ name }: Label, query: string | null | undefined): boolean {
  return query == null || name.toLowerCase().includes(query.toLowerCase());
}
