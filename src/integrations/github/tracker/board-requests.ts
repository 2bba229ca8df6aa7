/**
 * Sends the requests that read a board: page by page, or many pages at once from their known start
 * cursors.
 */

import { LegionError } from '../../../core/model/fault.ts';
import { computeMaxUnavailable, isRefusal, isUnavailable } from '../../../lib/read-isolated.ts';
import { throwUnavailable, toRefusalFault } from '../client/answer-fault.ts';
import type { GithubClient, GithubRefusal } from '../client/client.ts';
import type {
  BoardDigestQuery,
  BoardPageQuery,
  DigestPageFragment,
  MoreBlockedQuery,
  ProjectPartsFragment,
} from '../generated/tracker.ts';
import type { ItemRefusal } from './board-view.ts';
import { BOARD_PAGE, buildBoardDigestQuery, MORE_BLOCKED, PAGE } from './documents.ts';
import type { ParsedBoardPage } from './read-answer.ts';
import { readPage } from './read-answer.ts';

/** Digest pages per request: a thousand items, which GitHub returns well within its ten seconds. */
const DIGEST_PAGES_MAX = 10;

export interface ProjectName {
  readonly owner: string;
  readonly number: number;
}

/** Names of the status and priority fields. */
export interface FieldNames {
  readonly status: string;
  readonly priority: string;
}

/** Issues that GitHub's search returned. */
type FoundIssues = MoreBlockedQuery['blocked'];

export interface BoardPages {
  readonly project: ProjectPartsFragment;
  readonly pages: readonly ParsedBoardPage[];
  readonly blocked: FoundIssues | undefined;
  /** Maps each requested node to whether it is closed. Nodes that no longer exist are absent. */
  readonly offBoard: ReadonlyMap<string, boolean>;
  /** Reasons why GitHub does not show the issues of some items, by item id. */
  readonly refused: ReadonlyMap<string, ItemRefusal>;
}

export interface BoardRequests {
  /**
   * Reads in full the page at this cursor and all later ones. A page that GitHub refuses because of
   * one item is read as a digest.
   */
  pagesFrom(start: string | null, signal: AbortSignal): Promise<BoardPages>;
  /** Reads the pages at these cursors with only the fields that reveal changes. */
  digest(
    starts: readonly (string | null)[],
    offBoard: readonly string[],
    signal: AbortSignal,
  ): Promise<BoardPages>;
  /** Reads all search results, starting from the known first page. */
  blocked(first: FoundIssues | undefined, signal: AbortSignal): Promise<ReadonlySet<string>>;
}

/** A digest has as many pages as were requested. */
type DigestAnswer = Omit<BoardDigestQuery, 'repositoryOwner'> & {
  readonly repositoryOwner: {
    readonly projectV2:
      | (ProjectPartsFragment & Readonly<Record<`page${number}`, DigestPageFragment | undefined>>)
      | null;
  } | null;
};

export function createBoardRequests(
  client: GithubClient,
  name: ProjectName,
  fields: FieldNames,
): BoardRequests {
  // GitHub documents `is:blocked`, but this search was never tested against GitHub. A server that
  // does not support `is:blocked` may return every open issue, and each of them then costs one
  // request.
  const blockedQuery = `is:issue is:open is:blocked project:${name.owner}/${name.number}`;
  const baseVariables = { ...name, ...fields, blocked: blockedQuery };
  /** Start cursors of pages that were unavailable at the last request. */
  const broken = new Set<string | null>();

  async function readWholePage(after: string | null, signal: AbortSignal): Promise<BoardPages> {
    const variables = { ...baseVariables, after, first: after === null };
    const answer = await client.query<BoardPageQuery>(BOARD_PAGE, variables, { signal });
    broken.delete(after);
    const project = requireProject(answer.repositoryOwner, name);
    return {
      project,
      pages: [readPage(project.items)],
      blocked: answer.blocked,
      offBoard: new Map(),
      refused: new Map(),
    };
  }

  async function readDigest(
    cursors: readonly (string | null)[],
    offBoard: readonly string[],
    signal: AbortSignal,
  ): Promise<BoardPages> {
    const cursorVariables = Object.fromEntries(cursors.map((start, index) => [`after${index}`, start]));
    const send = () =>
      client.queryPartially<DigestAnswer>(
        buildBoardDigestQuery(cursors.length),
        { ...baseVariables, ...cursorVariables, foreign: offBoard },
        { signal },
      );
    const first = await send();
    // Temporary errors are retried once. If they persist, one broken item must not hide the others.
    const { data, refusals } = first.refusals.some(isTemporary) ? await send() : first;
    refuseUnlessItems(refusals);
    const project = requireProject(data.repositoryOwner, name);
    const pages = cursors.map((_, index) => project[`page${index}`]);
    const states = new Map<string, boolean>();
    for (const node of data.foreign ?? [])
      if (node?.id !== undefined) states.set(node.id, node.closed === true);
    return {
      project,
      pages: pages.filter((page) => page !== undefined).map(readPage),
      blocked: data.blocked,
      offBoard: states,
      refused: collectRefusedItems(pages, refusals),
    };
  }

  return {
    async pagesFrom(start, signal) {
      const results: BoardPages[] = [];
      for (let after = start; ; ) {
        const page = await readWholePage(after, signal).catch((error: unknown) => {
          // One item may be the cause. In that case, the page is read as a digest and the item's
          // issue is read separately.
          if (isRefusal(error) || (isUnavailable(error) && broken.has(after)))
            return readDigest([after], [], signal);
          if (isUnavailable(error)) broken.add(after);
          throw error;
        });
        results.push(page);
        const { hasNextPage = false, endCursor = null } = page.pages.at(-1)?.pageInfo ?? {};
        if (!hasNextPage) return joinPages(results, results[0]?.blocked);
        after = endCursor;
      }
    },

    async digest(cursors, offBoard, signal) {
      const results: BoardPages[] = [];
      for (let from = 0; from === 0 || from < cursors.length; from += DIGEST_PAGES_MAX) {
        const batch = cursors.slice(from, from + DIGEST_PAGES_MAX);
        results.push(await readDigest(batch, from === 0 ? offBoard : [], signal));
      }
      return joinPages(results, results.at(-1)?.blocked);
    },

    async blocked(first, signal) {
      const nodes = [...(first?.nodes ?? [])];
      for (let page = first?.pageInfo; page?.hasNextPage === true; ) {
        const variables = { blocked: blockedQuery, after: page.endCursor };
        const answer = await client.query<MoreBlockedQuery>(MORE_BLOCKED, variables, { signal });
        nodes.push(...(answer.blocked.nodes ?? []));
        page = answer.blocked.pageInfo;
      }
      return new Set(nodes.flatMap((node) => node?.id ?? []));
    },
  };
}

/**
 * Merges one or more results. The project data is taken from the last result, which is the newest.
 */
function joinPages(results: readonly BoardPages[], blocked: FoundIssues | undefined): BoardPages {
  const last = results.at(-1) as BoardPages;
  return {
    project: last.project,
    pages: results.flatMap(({ pages }) => pages),
    blocked,
    offBoard: new Map(results.flatMap(({ offBoard }) => [...offBoard])),
    refused: new Map(results.flatMap(({ refused }) => [...refused])),
  };
}

/**
 * Maps refusals to items by their path, such as `repositoryOwner.projectV2.page0.nodes.7.content`.
 */
function collectRefusedItems(
  pages: readonly (DigestPageFragment | undefined)[],
  refusals: readonly GithubRefusal[],
): ReadonlyMap<string, ItemRefusal> {
  return new Map(
    refusals.flatMap(({ path, code, message }) => {
      const [, , alias, , index, part] = path;
      const page = pages[Number(String(alias).slice('page'.length))];
      const item = part === 'content' ? page?.nodes?.[Number(index)] : undefined;
      return item === undefined || item === null ? [] : [[item.id, { code, message }] as const];
    }),
  );
}

/** Throws unless all refusals concern individual items. A refused board or search fails the read. */
function refuseUnlessItems(refusals: readonly GithubRefusal[]): void {
  const whole = refusals.find(
    ({ path }) => path[0] !== 'foreign' && !path.some((part) => typeof part === 'number'),
  );
  if (whole !== undefined) throw toRefusalFault(whole);
  const temporary = refusals.filter((refusal) => isTemporary(refusal) && refusal.path[0] !== 'foreign');
  // An item without an id cannot be matched to its issue, and that issue must not look as if it had
  // left the board.
  const isNamed = temporary.every(({ path }) => path[5] === 'content');
  if (!isNamed || temporary.length > computeMaxUnavailable(PAGE)) throwUnavailable(temporary);
}

function isTemporary({ code }: GithubRefusal): boolean {
  return code === 'github.unavailable';
}

function requireProject<T>(
  holder: { readonly projectV2: T | null } | null,
  { owner, number }: ProjectName,
): T {
  const project = holder?.projectV2;
  if (project === undefined || project === null)
    throw new LegionError(
      'github.missing',
      `Project ${owner}/${number} does not exist, or the account does not have permission to see it`,
    );
  return project;
}
