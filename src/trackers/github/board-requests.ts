/** The requests a board is read by: its pages one after another, or many at once by the cursors they begin with. */
import { LegionError } from '../../domain/fault.ts';
import type { GithubClient } from '../../github/client.ts';
import type {
  IssueAnswer,
  IssueHead,
  OwnedProject,
  PageAnswer,
  ProjectAnswer,
  SearchAnswer,
} from './answers.ts';
import { BOARD_PAGE, boardDigest, MORE_BLOCKED } from './read-documents.ts';

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

export type Page = PageAnswer<IssueHead>;
type WholePage = PageAnswer<IssueAnswer>;

export interface Pages<P extends Page = Page> {
  readonly project: ProjectAnswer;
  readonly pages: readonly P[];
  readonly blocked: SearchAnswer | undefined;
  /** Of the nodes asked for that are still there, whether each is closed. */
  readonly foreign: ReadonlyMap<string, boolean>;
}

export interface BoardRequests {
  /** Every page from this cursor on, in full. */
  pagesFrom(start: string | null, signal: AbortSignal): Promise<Pages<WholePage>>;
  /** The pages that begin at these cursors, by what shows that something has changed. */
  digest(starts: readonly (string | null)[], foreign: readonly string[], signal: AbortSignal): Promise<Pages>;
  /** All that a search has found, of which the first page is known. */
  blocked(first: SearchAnswer | undefined, signal: AbortSignal): Promise<ReadonlySet<string>>;
}

interface Answer<T> {
  readonly repositoryOwner: OwnedProject<ProjectAnswer & T> | null;
  readonly blocked?: SearchAnswer;
  readonly foreign?: readonly ({ readonly id?: string; readonly closed?: boolean } | null)[];
}

export function boardRequests(client: GithubClient, name: ProjectName, fields: FieldNames): BoardRequests {
  // Documented, not tried. A server too old to know the word may name every open issue: each is then asked for once.
  const blockedOnes = `is:issue is:open is:blocked project:${name.owner}/${name.number}`;
  const asked = { ...name, ...fields, blocked: blockedOnes };

  return {
    async pagesFrom(start, signal) {
      const pages: WholePage[] = [];
      let blocked: SearchAnswer | undefined;
      for (let after = start; ; ) {
        const variables = { ...asked, after, first: after === null };
        const answer = await client.query<Answer<{ items: WholePage }>>(BOARD_PAGE, variables, { signal });
        const project = projectIn(answer, name);
        pages.push(project.items);
        blocked ??= answer.blocked;
        const { hasNextPage, endCursor } = project.items.pageInfo;
        if (!hasNextPage) return { project, pages, blocked, foreign: new Map() };
        after = endCursor;
      }
    },

    async digest(starts, foreign, signal) {
      const states = new Map<string, boolean>();
      const pages: Page[] = [];
      for (let from = 0; ; from += DIGEST_PAGES_MAX) {
        const some = starts.slice(from, from + DIGEST_PAGES_MAX);
        const afters = Object.fromEntries(some.map((start, index) => [`after${index}`, start]));
        const variables = { ...asked, ...afters, foreign: from === 0 ? foreign : [] };
        // Of those asked for beside the board one may be gone; a board that is gone is seen at once.
        const how = { signal, tolerates: ['NOT_FOUND'] };
        const answer = await client.query<Answer<Record<string, Page>>>(
          boardDigest(some.length),
          variables,
          how,
        );
        const project = projectIn(answer, name);
        pages.push(...some.flatMap((_, index) => project[`page${index}`] ?? []));
        for (const node of answer.foreign ?? [])
          if (node?.id !== undefined) states.set(node.id, node.closed === true);
        if (from + DIGEST_PAGES_MAX >= starts.length)
          return { project, pages, blocked: answer.blocked, foreign: states };
      }
    },

    async blocked(first, signal) {
      const nodes = [...(first?.nodes ?? [])];
      for (let page = first?.pageInfo; page?.hasNextPage === true; ) {
        const variables = { blocked: blockedOnes, after: page.endCursor };
        const answer = await client.query<{ blocked: SearchAnswer }>(MORE_BLOCKED, variables, { signal });
        nodes.push(...answer.blocked.nodes);
        page = answer.blocked.pageInfo;
      }
      return new Set(nodes.flatMap(({ id }) => id ?? []));
    },
  };
}

function projectIn<T>({ repositoryOwner }: Answer<T>, { owner, number }: ProjectName): ProjectAnswer & T {
  const project = repositoryOwner?.projectV2;
  if (project === undefined || project === null)
    throw new LegionError(
      'github.missing',
      `there is no project ${owner}/${number}, or the account may not see it`,
    );
  return project;
}
