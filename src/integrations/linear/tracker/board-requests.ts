/** The requests a team's board is read by: all of it page by page, or what has changed in one. */

import { allForward, type Page } from '../../../lib/paginate.ts';
import type { LinearClient } from '../../../linear/client.ts';
import type { LinearIssue } from '../../../trackers/linear/linear-issue.ts';
import { changedSince, type Reached } from '../../../trackers/linear/marks.ts';
import { readNodes, requireForm, requireIssues } from '../../../trackers/linear/read-nodes.ts';
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
  newAttachmentAnswer,
  newRelationAnswer,
  watchedAnswer,
} from './answer-schemas.ts';
import { BOARD_CHANGES, BOARD_HEADS, BOARD_PAGE, MORE_WATCHED, WATCHED } from './documents.ts';

/** What an issue waits for, as it is now. */
export type Watched = WatchedFragment['nodes'][number];

interface BoardPage {
  readonly team: TeamPartsFragment;
  readonly issues: Page<LinearIssue>;
  readonly relations: { readonly nodes: readonly NewRelationPartsFragment[] };
}

export interface Changes {
  readonly team: TeamPartsFragment;
  readonly changed: Page<LinearIssue>;
  readonly elsewhere: Page<{ readonly id: string }>;
  readonly relations: { readonly nodes: readonly NewRelationPartsFragment[] };
  readonly attached: { readonly nodes: readonly NewAttachmentPartsFragment[] };
  readonly said: Page<CommentHeadFragment>;
  readonly watched: readonly Watched[];
  /** False where one of the newest relations or comments could not be read. */
  readonly isWhole: boolean;
}

interface Asked {
  readonly changes: Reached;
  readonly comments: Reached;
  /** Ids of all that is known, and of those that wait for something. */
  readonly known: readonly string[];
  readonly watched: readonly string[];
}

export interface BoardRequests {
  /** A page of what is on the board. */
  page(after: string | null, signal: AbortSignal): Promise<BoardPage>;
  /** A further page of what has changed; what has been archived is in it. */
  changedPage(since: Reached, after: string | null, signal: AbortSignal): Promise<BoardPage>;
  changes(asked: Asked, signal: AbortSignal): Promise<Changes>;
  /** All that is on the board, by nothing that could be refused for one issue. */
  heads(signal: AbortSignal): Promise<BoardHeads>;
}

interface BoardHeads {
  readonly team: TeamPartsFragment;
  readonly heads: readonly IssueHeadFragment[];
  /** Of issues of which not even the head can be read. */
  readonly problems: readonly string[];
}

export function boardRequests(client: LinearClient, team: string): BoardRequests {
  const ofTeam = { team: { id: { eq: team } } };

  async function moreWatched(ids: readonly string[], signal: AbortSignal): Promise<readonly Watched[]> {
    const found: Watched[] = [];
    for (let from = 0; from < ids.length; from += WATCHED.issues) {
      const some = ids.slice(from, from + WATCHED.issues);
      const variables = { watched: { id: { in: some } }, watching: some.length };
      const answer = await client.query<MoreWatchedQuery>(MORE_WATCHED, variables, { signal });
      found.push(...watchedIn(answer.watched.nodes));
    }
    return found;
  }

  async function boardPage(
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
    page: (after, signal) => boardPage({ team, filter: ofTeam, archived: false, after }, signal),
    changedPage: (since, after, signal) =>
      boardPage({ team, filter: { ...ofTeam, ...changedSince(since) }, archived: true, after }, signal),
    async heads(signal) {
      const page = (after: string | null) =>
        client.query<BoardHeadsQuery>(BOARD_HEADS, { team, filter: ofTeam, after }, { signal });
      const first = await page(null);
      const found = await allForward(first.issues, async (after) => (await page(after)).issues);
      const { nodes: heads, problems } = readNodes(issueHead, found, 'issue');
      return { team: first.team, heads, problems };
    },
    async changes({ changes, comments, known, watched }, signal) {
      const some = watched.slice(0, WATCHED.issues);
      const variables = {
        team,
        changed: { ...ofTeam, ...changedSince(changes) },
        elsewhere: { id: { in: known }, team: { id: { neq: team } } },
        watched: { id: { in: some } },
        watching: Math.max(1, some.length),
        isWatching: some.length > 0,
        said: { issue: ofTeam, ...changedSince(comments) },
      };
      const answer = await client.query<BoardChangesQuery>(BOARD_CHANGES, variables, { signal });
      const more = await moreWatched(watched.slice(WATCHED.issues), signal);
      const relations = readNodes(newRelationAnswer, answer.relations.nodes, 'relation');
      const said = readNodes(commentHead, answer.said.nodes, 'comment');
      return {
        team: answer.team,
        elsewhere: answer.elsewhere,
        changed: { ...answer.changed, nodes: requireIssues(answer.changed.nodes) },
        relations: { nodes: relations.nodes },
        attached: { nodes: readNodes(newAttachmentAnswer, answer.attached.nodes, 'attachment').nodes },
        said: { nodes: said.nodes, pageInfo: answer.said.pageInfo },
        watched: [...watchedIn(answer.watched?.nodes ?? []), ...more],
        isWhole: relations.problems.length + said.problems.length === 0,
      };
    },
  };
}

function watchedIn(nodes: readonly unknown[]): readonly Watched[] {
  return nodes.map((node) => requireForm(watchedAnswer, node, 'issue'));
}
