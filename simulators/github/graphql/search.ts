/** Searching issues, as far as clients need it; a qualifier that is not known here is refused loudly. */
import { maySee } from '../model/access.ts';
import { GithubRefusal } from '../model/fault.ts';
import type { Issue, PullRequest } from '../model/nodes.ts';
import { nameOf } from '../model/repositories.ts';
import type { World } from '../model/world.ts';
import type { Context } from './context.ts';

type Thread = Issue | PullRequest;
type Test = (thread: Thread) => boolean;

/** GitHub gives no more than this of any search. */
const MOST_FOUND = 1000;

export function searchIssues({ world, token }: Context, query: string, type: string): Thread[] {
  if (type !== 'ISSUE')
    throw new GithubRefusal('NOT_SIMULATED', `The simulator searches no ${type}, only ISSUE.`);
  const terms = query.match(/(?:[^\s"]+:)?"[^"]*"|\S+/g) ?? [];
  const tests = terms.map((term) => testOf(world, term));
  const all = [...world.repositories.values()].flatMap((repository) => repository.threads);
  // The newest first, as a search orders them where nothing else is asked.
  const found = all.filter((thread) => maySee(thread, token) && tests.every((test) => test(thread)));
  return found.sort((a, b) => b.databaseId - a.databaseId).slice(0, MOST_FOUND);
}

function testOf(world: World, term: string): Test {
  const [, no, key, quoted] = /^(-?)([a-z-]+):(.+)$/.exec(term) ?? [];
  if (key === undefined || quoted === undefined) return textTest(unquoted(term));
  const test = qualified(world, key, unquoted(quoted));
  return no === '-' ? (thread) => !test(thread) : test;
}

function qualified(world: World, key: string, value: string): Test {
  switch (key) {
    case 'is':
    case 'state':
    case 'type':
      return stateTest(value);
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
      return () => true; // texts are looked for everywhere; the order stays
    default:
      throw new GithubRefusal('NOT_SIMULATED', `The simulator does not know the search qualifier ${key}:`);
  }
}

function stateTest(value: string): Test {
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

function textTest(text: string): Test {
  const wanted = text.toLowerCase();
  return ({ title, body, comments }) =>
    [title, body, ...comments.map((comment) => comment.body)].some((each) =>
      each.toLowerCase().includes(wanted),
    );
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}
