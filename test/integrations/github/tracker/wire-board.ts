/**
 * A loopback server for a board. Unlike in the simulator, the test controls the board's order,
 * options and cursors.
 */
import {
  type GithubTracker,
  openGithubTracker,
} from '../../../../src/integrations/github/tracker/open-github-tracker.ts';
import { json, type Loopback, loopback } from '../client/loopback.ts';

const PAGE = 100;
const START = Date.UTC(2030, 0, 1);

interface WireItem {
  readonly number: number;
  option: string;
  labels: readonly string[];
  /** Seconds since the start. */
  updatedAt: number;
  /** True if the item is on the board but its issue no longer exists. */
  gone?: boolean;
}

export interface WireBoard extends AsyncDisposable {
  readonly items: WireItem[];
  readonly options: Map<string, string>;
  /** Number of items that are counted but never returned. */
  hidden: number;
  /** Runs before each response. */
  before: (operation: string) => void;
  readonly tracker: GithubTracker;
  /** Returns the operations requested since the last call. */
  asked(): readonly string[];
  pass(seconds: number): void;
  now(): number;
}

/** Kind of cursor: after a given item, or after a given number of items. */
export type Cursors = 'items' | 'places';

export async function wireBoard(cursors: Cursors, count: number): Promise<WireBoard> {
  let seconds = 60;
  let counted = 0;
  const operations: string[] = [];
  const server: Loopback = await loopback((response, { body }) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
    const operation = /query (\w+)/.exec(query)?.[1] ?? '';
    operations.push(operation);
    board.before(operation);
    try {
      json(response, 200, answer(operation, variables));
    } catch (error) {
      const errors = [
        { type: 'INVALID_CURSOR_ARGUMENTS', message: String(error), path: ['repositoryOwner'] },
      ];
      json(response, 200, { data: null, errors });
    }
  });
  const clock = {
    now: () => START + seconds * 1_000,
    monotonic: () => seconds * 1_000,
    sleep: () => Promise.resolve(),
  };
  const tracker = await openGithubTracker({
    client: server.client({ clock }),
    projects: ['acme/1'],
    columns: () => ({}),
    repositories: () => ['acme/app'],
    authors: () => ({ trust: 'writers', also: [] }),
    clock,
    accounts: ['legion'],
  });
  const board: WireBoard = {
    items: Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      option: 'o1',
      labels: [],
      updatedAt: 0,
    })),
    options: new Map([
      ['o1', 'Todo'],
      ['o2', 'Testing'],
    ]),
    hidden: 0,
    before: () => {},
    tracker,
    asked() {
      const since = operations.slice(counted);
      counted = operations.length;
      return since;
    },
    pass: (more) => {
      seconds += more;
    },
    now: () => seconds,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };

  function answer(operation: string, variables: Record<string, unknown>): unknown {
    const { id, ids, after: start } = variables;
    if (operation === 'IssuesInFull') return inFull(ids as string[]);
    if (operation === 'MoreLabels') return moreLabels(String(id));
    const options = [...board.options].map(([id, name]) => ({ id, name }));
    const project = { id: 'PVT', status: { id: 'F', options }, priority: null };
    const afters = Object.entries(variables).filter(([name]) => /^after\d+$/.test(name));
    const pages =
      operation === 'BoardPage'
        ? { items: page(start, true) }
        : Object.fromEntries(
            afters.map(([name, after]) => [name.replace('after', 'page'), page(after, false)]),
          );
    const blocked = { issueCount: 0, pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
    return { data: { repositoryOwner: { projectV2: { ...project, ...pages } }, blocked, foreign: [] } };
  }

  function page(after: unknown, isWhole: boolean): unknown {
    const from = after === null ? 0 : placeAfter(String(after));
    const shown = board.items.slice(from, from + PAGE);
    const to = from + shown.length;
    const last = cursors === 'items' ? String(shown.at(-1)?.number) : String(to);
    return {
      totalCount: board.items.length + board.hidden,
      pageInfo: { hasNextPage: to < board.items.length, endCursor: last },
      nodes: shown.map((item) => ({
        id: `PVTI_${item.number}`,
        isArchived: false,
        type: 'ISSUE',
        createdAt: time(0),
        priority: null,
        status: { optionId: item.option, updatedAt: time(1) },
        content: isWhole
          ? whole(item)
          : { __typename: 'Issue', id: `I_${item.number}`, updatedAt: time(item.updatedAt) },
      })),
    };
  }

  function placeAfter(cursor: string): number {
    if (cursors === 'places') return Math.min(Number(cursor), board.items.length);
    const at = board.items.findIndex(({ number }) => String(number) === cursor);
    if (at < 0) throw new Error(`${cursor} does not appear to be a valid cursor`);
    return at + 1;
  }

  function inFull(ids: readonly string[]): unknown {
    const found = ids.map((id) =>
      board.items.find(({ number, gone }) => `I_${number}` === id && gone !== true),
    );
    const errors = found.flatMap((item, index) =>
      item === undefined ? [{ type: 'NOT_FOUND', message: 'gone', path: ['nodes', index] }] : [],
    );
    const nodes = found.map((item) => (item === undefined ? null : whole(item)));
    return { data: { nodes }, ...(errors.length > 0 ? { errors } : {}) };
  }

  function moreLabels(issue: string): unknown {
    const item = board.items.find(({ number }) => `I_${number}` === issue);
    return { data: { node: { labels: labelPage(item?.labels.slice(PAGE) ?? []) } } };
  }

  return board;
}

function labelPage(labels: readonly string[]): unknown {
  const nodes = labels.slice(0, PAGE).map((name) => ({ id: name, name }));
  return { nodes, pageInfo: { hasNextPage: labels.length > PAGE, endCursor: 'more' } };
}

function whole({ number, labels, updatedAt }: WireItem): unknown {
  const repository = { id: 'R', name: 'app', owner: { login: 'acme' } };
  return {
    __typename: 'Issue',
    id: `I_${number}`,
    fullDatabaseId: String(number),
    number,
    title: `Issue ${number}`,
    body: '',
    createdAt: time(0),
    updatedAt: time(updatedAt),
    closedAt: null,
    repository,
    parent: null,
    author: { __typename: 'User', login: 'acme' },
    authorAssociation: 'OWNER',
    reopened: { nodes: [] },
    labels: labelPage(labels),
    comments: { totalCount: 0, nodes: [] },
  };
}

function time(seconds: number): string {
  return new Date(START + seconds * 1_000).toISOString();
}
