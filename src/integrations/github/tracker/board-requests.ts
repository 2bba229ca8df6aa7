/** The requests a board is read by: its pages one after another, or many at once by the cursors they begin with. */

import { LegionError } from '../../../core/model/fault.ts';
import type { GithubClient, Refusal } from '../../../github/client.ts';
import { refusalFault, throwUnavailable } from '../../../github/refusals.ts';
import { isRefusal, isUnavailable, maxUnavailable } from '../../../lib/read-isolated.ts';
import { type ReadPage, readPage } from '../../../trackers/github/read-item.ts';
import type {
  BoardDigestQuery,
  BoardPageQuery,
  DigestPageFragment,
  MoreBlockedQuery,
  ProjectPartsFragment,
} from '../generated/tracker.ts';
import type { ItemRefusal } from './board-view.ts';
import { BOARD_PAGE, boardDigest, MORE_BLOCKED, PAGE } from './documents.ts';

/** Pages of a digest that go into one request: a thousand items, which GitHub answers well within its ten seconds. */
const DIGEST_PAGES_MAX = 10;

export interface ProjectName {
  readonly owner: string;
  readonly number: number;
}

/** The names of the fields that hold the status and the priority. */
export interface FieldNames {
  readonly status: string;
  readonly priority: string;
}

/** The issues that GitHub's search has found. */
type FoundIssues = MoreBlockedQuery['blocked'];

export interface Pages {
  readonly project: ProjectPartsFragment;
  readonly pages: readonly ReadPage[];
  readonly blocked: FoundIssues | undefined;
  /** Of the nodes asked for that are still there, whether each is closed. */
  readonly foreign: ReadonlyMap<string, boolean>;
  /** Why GitHub does not show the issues of some items, by the ids of the items. */
  readonly refused: ReadonlyMap<string, ItemRefusal>;
}

export interface BoardRequests {
  /** Every page from this cursor on, in full; one that GitHub refuses for one of its items, as a digest has it. */
  pagesFrom(start: string | null, signal: AbortSignal): Promise<Pages>;
  /** The pages that begin at these cursors, by what shows that something has changed. */
  digest(starts: readonly (string | null)[], foreign: readonly string[], signal: AbortSignal): Promise<Pages>;
  /** All that a search has found, of which the first page is known. */
  blocked(first: FoundIssues | undefined, signal: AbortSignal): Promise<ReadonlySet<string>>;
}

/** A digest has as many pages as were asked for. */
type DigestAnswer = Omit<BoardDigestQuery, 'repositoryOwner'> & {
  readonly repositoryOwner: {
    readonly projectV2:
      | (ProjectPartsFragment & Readonly<Record<`page${number}`, DigestPageFragment | undefined>>)
      | null;
  } | null;
};

export function boardRequests(client: GithubClient, name: ProjectName, fields: FieldNames): BoardRequests {
  // Documented, not tried. A server too old to know the word may name every open issue: each is then asked for once.
  const blockedOnes = `is:issue is:open is:blocked project:${name.owner}/${name.number}`;
  const asked = { ...name, ...fields, blocked: blockedOnes };
  /** Where pages begin that were unavailable as a whole when they were last asked for. */
  const broken = new Set<string | null>();

  async function wholePage(after: string | null, signal: AbortSignal): Promise<Pages> {
    const variables = { ...asked, after, first: after === null };
    const answer = await client.query<BoardPageQuery>(BOARD_PAGE, variables, { signal });
    broken.delete(after);
    const project = projectIn(answer.repositoryOwner, name);
    return {
      project,
      pages: [readPage(project.items)],
      blocked: answer.blocked,
      foreign: new Map(),
      refused: new Map(),
    };
  }

  async function digest(
    starts: readonly (string | null)[],
    foreign: readonly string[],
    signal: AbortSignal,
  ): Promise<Pages> {
    const afters = Object.fromEntries(starts.map((start, index) => [`after${index}`, start]));
    const ask = () =>
      client.queryPartially<DigestAnswer>(
        boardDigest(starts.length),
        { ...asked, ...afters, foreign },
        { signal },
      );
    const first = await ask();
    // What may pass is asked for once more; after that one broken item must not hide the others.
    const { data, refusals } = first.refusals.some(isPassing) ? await ask() : first;
    refuseUnlessItems(refusals);
    const project = projectIn(data.repositoryOwner, name);
    const pages = starts.map((_, index) => project[`page${index}`]);
    const states = new Map<string, boolean>();
    for (const node of data.foreign ?? [])
      if (node?.id !== undefined) states.set(node.id, node.closed === true);
    return {
      project,
      pages: pages.filter((page) => page !== undefined).map(readPage),
      blocked: data.blocked,
      foreign: states,
      refused: refusedItems(pages, refusals),
    };
  }

  return {
    async pagesFrom(start, signal) {
      const found: Pages[] = [];
      for (let after = start; ; ) {
        const page = await wholePage(after, signal).catch((error: unknown) => {
          // One item may have caused it: its issue is then read by itself.
          if (isRefusal(error) || (isUnavailable(error) && broken.has(after)))
            return digest([after], [], signal);
          if (isUnavailable(error)) broken.add(after);
          throw error;
        });
        found.push(page);
        const { hasNextPage = false, endCursor = null } = page.pages.at(-1)?.pageInfo ?? {};
        if (!hasNextPage) return joined(found, found[0]?.blocked);
        after = endCursor;
      }
    },

    async digest(starts, foreign, signal) {
      const found: Pages[] = [];
      for (let from = 0; from === 0 || from < starts.length; from += DIGEST_PAGES_MAX) {
        const some = starts.slice(from, from + DIGEST_PAGES_MAX);
        found.push(await digest(some, from === 0 ? foreign : [], signal));
      }
      return joined(found, found.at(-1)?.blocked);
    },

    async blocked(first, signal) {
      const nodes = [...(first?.nodes ?? [])];
      for (let page = first?.pageInfo; page?.hasNextPage === true; ) {
        const variables = { blocked: blockedOnes, after: page.endCursor };
        const answer = await client.query<MoreBlockedQuery>(MORE_BLOCKED, variables, { signal });
        nodes.push(...(answer.blocked.nodes ?? []));
        page = answer.blocked.pageInfo;
      }
      return new Set(nodes.flatMap((node) => node?.id ?? []));
    },
  };
}

/** At least one. The last one's project is the newest. */
function joined(found: readonly Pages[], blocked: FoundIssues | undefined): Pages {
  const last = found.at(-1) as Pages;
  return {
    project: last.project,
    pages: found.flatMap(({ pages }) => pages),
    blocked,
    foreign: new Map(found.flatMap(({ foreign }) => [...foreign])),
    refused: new Map(found.flatMap(({ refused }) => [...refused])),
  };
}

/** `repositoryOwner.projectV2.page0.nodes.7.content`, or a part of that content. */
function refusedItems(
  pages: readonly (DigestPageFragment | undefined)[],
  refusals: readonly Refusal[],
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

/** A few items may be refused or broken; a board or a search may not. */
function refuseUnlessItems(refusals: readonly Refusal[]): void {
  const whole = refusals.find(
    ({ path }) => path[0] !== 'foreign' && !path.some((part) => typeof part === 'number'),
  );
  if (whole !== undefined) throw refusalFault(whole);
  const passing = refusals.filter((refusal) => isPassing(refusal) && refusal.path[0] !== 'foreign');
  // Of an item without its id nobody can tell which issue it is, and it must not look as if it had left the board.
  const isNamed = passing.every(({ path }) => path[5] === 'content');
  if (!isNamed || passing.length > maxUnavailable(PAGE)) throwUnavailable(passing);
}

function isPassing({ code }: Refusal): boolean {
  return code === 'github.unavailable';
}

function projectIn<T>(holder: { readonly projectV2: T | null } | null, { owner, number }: ProjectName): T {
  const project = holder?.projectV2;
  if (project === undefined || project === null)
    throw new LegionError(
      'github.missing',
      `there is no project ${owner}/${number}, or the account may not see it`,
    );
  return project;
}
