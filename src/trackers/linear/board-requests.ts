/** The requests a team's board is read by: all of it page by page, or what has changed in one. */

import { allForward, type Page } from '../../asking/pages.ts';
import type { LinearClient } from '../../linear/client.ts';
import type {
  CommentHead,
  IssueAnswer,
  IssueHead,
  NewAttachmentAnswer,
  NewRelationAnswer,
  TeamAnswer,
} from './answers.ts';
import { changedSince, type Reached } from './marks.ts';
import { BOARD_CHANGES, BOARD_HEADS, BOARD_PAGE, MORE_WATCHED, WATCHED } from './read-documents.ts';

/** What an issue waits for, as it is now. */
export type Watched = Pick<IssueAnswer, 'id' | 'inverseRelations'>;

interface BoardPage {
  readonly team: TeamAnswer;
  readonly issues: Page<IssueAnswer>;
  readonly relations: { readonly nodes: readonly NewRelationAnswer[] };
}

export interface Changes {
  readonly team: TeamAnswer;
  readonly changed: Page<IssueAnswer>;
  readonly elsewhere: Page<{ readonly id: string }>;
  readonly relations: { readonly nodes: readonly NewRelationAnswer[] };
  readonly attached: { readonly nodes: readonly NewAttachmentAnswer[] };
  readonly said: Page<CommentHead>;
  readonly watched: readonly Watched[];
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
  readonly team: TeamAnswer;
  readonly heads: readonly IssueHead[];
}

export function boardRequests(client: LinearClient, team: string): BoardRequests {
  const ofTeam = { team: { id: { eq: team } } };

  async function moreWatched(ids: readonly string[], signal: AbortSignal): Promise<readonly Watched[]> {
    const found: Watched[] = [];
    for (let from = 0; from < ids.length; from += WATCHED.issues) {
      const some = ids.slice(from, from + WATCHED.issues);
      const variables = { watched: { id: { in: some } }, watching: some.length };
      type Answer = { readonly watched: Page<Watched> };
      found.push(...(await client.query<Answer>(MORE_WATCHED, variables, { signal })).watched.nodes);
    }
    return found;
  }

  return {
    page: (after, signal) =>
      client.query(BOARD_PAGE, { team, filter: ofTeam, archived: false, after }, { signal }),
    changedPage: (since, after, signal) =>
      client.query(
        BOARD_PAGE,
        { team, filter: { ...ofTeam, ...changedSince(since) }, archived: true, after },
        { signal },
      ),
    async heads(signal) {
      type Answer = { readonly team: TeamAnswer; readonly issues: Page<IssueHead> };
      const page = (after: string | null) =>
        client.query<Answer>(BOARD_HEADS, { team, filter: ofTeam, after }, { signal });
      const first = await page(null);
      const heads = await allForward(first.issues, async (after) => (await page(after)).issues);
      return { team: first.team, heads };
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
      type Answer = Omit<Changes, 'watched'> & { readonly watched?: Page<Watched> };
      const answer = await client.query<Answer>(BOARD_CHANGES, variables, { signal });
      const more = await moreWatched(watched.slice(WATCHED.issues), signal);
      return { ...answer, watched: [...(answer.watched?.nodes ?? []), ...more] };
    },
  };
}
