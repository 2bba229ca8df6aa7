/** Implements the parts of issue search that clients need. An unknown qualifier is an error. */
import { canSeeNode } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { Issue, PullRequest } from '../model/nodes.ts';
import { nameOf } from '../model/repositories.ts';
import type { GithubWorld } from '../model/world.ts';
import type { GithubResolverContext } from './context.ts';

type SearchedThread = Issue | PullRequest;
type ThreadTest = (thread: SearchedThread) => boolean;

/** GitHub's maximum number of results per search. */
const MAX_SEARCH_RESULTS = 1000;

export function searchIssues(
  { world, token }: GithubResolverContext,
  query: string,
  type: string,
): SearchedThread[] {
  if (type !== 'ISSUE')
    throw new GithubRefusal('NOT_SIMULATED', `The simulator cannot search for ${type}, only for ISSUE.`);
  const terms = query.match(/(?:[^\s"]+:)?"[^"]*"|\S+/g) ?? [];
  const tests = terms.map((term) => parseSearchTerm(world, term));
  const all = [...world.repositories.values()].flatMap((repository) => repository.threads);
  // Newest first, the default order of a search.
  const found = all.filter((thread) => canSeeNode(thread, token) && tests.every((test) => test(thread)));
  return found.sort((a, b) => b.databaseId - a.databaseId).slice(0, MAX_SEARCH_RESULTS);
}

function parseSearchTerm(world: GithubWorld, term: string): ThreadTest {
  const [, no, key, quoted] = /^(-?)([a-z-]+):(.+)$/.exec(term) ?? [];
  if (key === undefined || quoted === undefined) return toTextTest(stripQuotes(term));
  const test = toQualifierTest(world, key, stripQuotes(quoted));
  return no === '-' ? (thread) => !test(thread) : test;
}

function toQualifierTest(world: GithubWorld, key: string, value: string): ThreadTest {
  switch (key) {
    case 'is':
    case 'state':
    case 'type':
      return toStateTest(value);
    case 'project':
      return ({ id }) =>
        world.projects.some(
          (project) =>
            `${project.owner.login}/${project.number}`.toLowerCase() === value.toLowerCase() &&
            project.items.some((item) => item.content.id === id && !item.archived),
        );
    case 'repo':
      return ({ repository }) => nameOf(repository).toLowerCase() === value.toLowerCase();
    case 'org':
    case 'user':
      return ({ repository }) => repository.owner.login.toLowerCase() === value.toLowerCase();
    case 'author':
      return ({ author }) => author.login.toLowerCase() === value.toLowerCase();
    case 'label':
      return ({ labels }) => labels.some(({ name }) => name.toLowerCase() === value.toLowerCase());
    case 'head':
      return (thread) => thread.type === 'PullRequest' && thread.head === value;
    case 'in':
    case 'sort':
      return () => true; // `in` does not restrict the search, and `sort` does not change the order
    default:
      throw new GithubRefusal('NOT_SIMULATED', `The simulator does not know the search qualifier ${key}:`);
  }
}

function toStateTest(value: string): ThreadTest {
  switch (value) {
    case 'open':
      return ({ state }) => state === 'OPEN';
    case 'closed':
      return ({ state }) => state !== 'OPEN';
    case 'merged':
      return ({ state }) => state === 'MERGED';
    case 'issue':
      return ({ type }) => type === 'Issue';
    case 'pr':
      return ({ type }) => type === 'PullRequest';
    case 'blocked':
      return (thread) => thread.type === 'Issue' && thread.blockedBy.some(({ state }) => state === 'OPEN');
    case 'blocking':
      return (thread) =>
        thread.type === 'Issue' &&
        thread.state === 'OPEN' &&
        thread.repository.threads.some((each) => each.type === 'Issue' && each.blockedBy.includes(thread));
    default:
      throw new GithubRefusal(
        'NOT_SIMULATED',
        `The simulator does not know the search qualifier is:${value}`,
      );
  }
}

function toTextTest(text: string): ThreadTest {
  const wanted = text.toLowerCase();
  return ({ title, body, comments }) =>
    [title, body, ...comments.map((comment) => comment.body)].some((each) =>
      each.toLowerCase().includes(wanted),
    );
}

function stripQuotes(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}
