/**
 * Sends the requests that read a team's board: either all of it, page by page, or only its changes.
 */
import { collectForward, type ForwardPage } from '../../../lib/paginate.ts';
import type { LinearClient } from '../client/client.ts';
import type {
  BoardChangesQuery,
  BoardHeadsQuery,
  BoardPageQuery,
  CommentHeadFragment,
  IssueHeadFragment,
  MoreWatchedQuery,
  NewAttachmentPartsFragment,
  NewRelationPartsFragment,
  TeamPartsFragment,
  WatchedFragment,
} from '../generated/tracker.ts';
import {
  commentHead,
  issueHead,
  type LinearIssue,
  newAttachmentAnswer,
  newRelationAnswer,
  watchedAnswer,
} from './answer-schemas.ts';
import { BOARD_CHANGES, BOARD_HEADS, BOARD_PAGE, MORE_WATCHED, WATCHED } from './documents.ts';
import { readNodes, requireForm, requireIssues } from './whole-issues.ts';

/** The current blockers of one issue. */
export type WatchedIssue = WatchedFragment['nodes'][number];

interface BoardPage {
  readonly team: TeamPartsFragment;
  readonly issues: ForwardPage<LinearIssue>;
  readonly relations: { readonly nodes: readonly NewRelationPartsFragment[] };
}

export interface BoardChanges {
  readonly team: TeamPartsFragment;
  readonly changed: ForwardPage<LinearIssue>;
  readonly elsewhere: ForwardPage<{ readonly id: string }>;
  readonly relations: { readonly nodes: readonly NewRelationPartsFragment[] };
  readonly attached: { readonly nodes: readonly NewAttachmentPartsFragment[] };
  readonly said: ForwardPage<CommentHeadFragment>;
  readonly watched: readonly WatchedIssue[];
  /** False if one of the newest relations or comments could not be read. */
  readonly isWhole: boolean;
}

interface BoardChangesRequest {
  readonly changes: ReadProgress;
  readonly comments: ReadProgress;
  /** Ids of all known issues. `watched` contains the ids of those with blockers. */
  readonly known: readonly string[];
  readonly watched: readonly string[];
}

export interface BoardRequests {
  /** Reads one page of the board. */
  page(after: string | null, signal: AbortSignal): Promise<BoardPage>;
  /** Reads a further page of changed issues, including archived ones. */
  changedPage(since: ReadProgress, after: string | null, signal: AbortSignal): Promise<BoardPage>;
  changes(request: BoardChangesRequest, signal: AbortSignal): Promise<BoardChanges>;
  /** Lists the whole board with only those fields that Linear never refuses for a single issue. */
  heads(signal: AbortSignal): Promise<BoardHeads>;
}

interface BoardHeads {
  readonly team: TeamPartsFragment;
  readonly heads: readonly IssueHeadFragment[];
  /** Errors of issues whose head could not be read. */
  readonly problems: readonly string[];
}

export function createBoardRequests(client: LinearClient, team: string): BoardRequests {
  const ofTeam = { team: { id: { eq: team } } };

  async function readMoreWatched(
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly WatchedIssue[]> {
    const issues: WatchedIssue[] = [];
    for (let from = 0; from < ids.length; from += WATCHED.issues) {
      const batch = ids.slice(from, from + WATCHED.issues);
      const variables = { watched: { id: { in: batch } }, watching: batch.length };
      const answer = await client.query<MoreWatchedQuery>(MORE_WATCHED, variables, { signal });
      issues.push(...requireWatchedIssues(answer.watched.nodes));
    }
    return issues;
  }

  async function readBoardPage(
    variables: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<BoardPage> {
    const answer = await client.query<BoardPageQuery>(BOARD_PAGE, variables, { signal });
    return {
      team: answer.team,
      issues: { ...answer.issues, nodes: requireIssues(answer.issues.nodes) },
      relations: { nodes: readNodes(newRelationAnswer, answer.relations.nodes, 'relation').nodes },
    };
  }

  return {
    page: (after, signal) => readBoardPage({ team, filter: ofTeam, archived: false, after }, signal),
    changedPage: (since, after, signal) =>
      readBoardPage(
        { team, filter: { ...ofTeam, ...buildChangedFilter(since) }, archived: true, after },
        signal,
      ),
    async heads(signal) {
      const queryHeads = (after: string | null) =>
        client.query<BoardHeadsQuery>(BOARD_HEADS, { team, filter: ofTeam, after }, { signal });
      const first = await queryHeads(null);
      const nodes = await collectForward(first.issues, async (after) => (await queryHeads(after)).issues);
      const { nodes: heads, problems } = readNodes(issueHead, nodes, 'issue');
      return { team: first.team, heads, problems };
    },
    async changes({ changes, comments, known, watched }, signal) {
      const batch = watched.slice(0, WATCHED.issues);
      const variables = {
        team,
        changed: { ...ofTeam, ...buildChangedFilter(changes) },
        elsewhere: { id: { in: known }, team: { id: { neq: team } } },
        watched: { id: { in: batch } },
        watching: Math.max(1, batch.length),
        isWatching: batch.length > 0,
        said: { issue: ofTeam, ...buildChangedFilter(comments) },
      };
      const answer = await client.query<BoardChangesQuery>(BOARD_CHANGES, variables, { signal });
      const more = await readMoreWatched(watched.slice(WATCHED.issues), signal);
      const relations = readNodes(newRelationAnswer, answer.relations.nodes, 'relation');
      const commentHeads = readNodes(commentHead, answer.said.nodes, 'comment');
      return {
        team: answer.team,
        elsewhere: answer.elsewhere,
        changed: { ...answer.changed, nodes: requireIssues(answer.changed.nodes) },
        relations: { nodes: relations.nodes },
        attached: { nodes: readNodes(newAttachmentAnswer, answer.attached.nodes, 'attachment').nodes },
        said: { nodes: commentHeads.nodes, pageInfo: answer.said.pageInfo },
        watched: [...requireWatchedIssues(answer.watched?.nodes ?? []), ...more],
        isWhole: relations.problems.length + commentHeads.problems.length === 0,
      };
    },
  };
}

function requireWatchedIssues(nodes: readonly unknown[]): readonly WatchedIssue[] {
  return nodes.map((node) => requireForm(watchedAnswer, node, 'issue'));
}

/**
 * Each read also covers this much time before the previous read, because an earlier change may
 * become visible only after a later one. One minute is generous, but reading a change twice is
 * harmless.
 */
const OVERLAP_MS = 60_000;
/**
 * Once a change is this old, no older change can appear anymore. Twice the overlap, because the
 * clocks of two machines differ.
 */
const SETTLED_AFTER_MS = 2 * OVERLAP_MS;

/** How far a read got. The read is guaranteed to include every change up to `mark`. */
export interface ReadProgress {
  readonly mark: number | undefined;
  /** When the read began, by our clock. */
  readonly at: number;
}

/**
 * Returns Linear's filter for changes since a read, based on Linear's own timestamps. An empty
 * filter requests everything. A period whose changes are known to be complete is not requested
 * again. Otherwise, a thousand issues imported within one minute would be read in every reconcile
 * pass.
 */
export function buildChangedFilter({ mark, at }: ReadProgress): {
  readonly updatedAt?: Readonly<Record<string, string>>;
} {
  if (mark === undefined) return {};
  const isSettled = at - mark >= SETTLED_AFTER_MS;
  return { updatedAt: isSettled ? { gt: toIsoTime(mark) } : { gte: toIsoTime(mark - OVERLAP_MS) } };
}

export function findNewestTime(
  items: readonly { readonly updatedAt: string }[],
  before?: number,
): number | undefined {
  return items.reduce<number | undefined>((newest, { updatedAt }) => {
    const time = Date.parse(updatedAt);
    // A malformed time must not change `mark`.
    if (Number.isNaN(time)) return newest;
    return newest === undefined || time > newest ? time : newest;
  }, before);
}

function toIsoTime(time: number): string {
  return new Date(time).toISOString();
}
