/** Reading a team's board: whole at first and from time to time, in between what has changed, by one request. */
import type { Clock } from '../../domain/clock.ts';
import type { ColumnNames } from '../../domain/status.ts';
import type { LinearClient } from '../../linear/client.ts';
import type { CommentHead, IssueAnswer, NewRelationAnswer, TeamAnswer } from './answers.ts';
import { boardRequests, type Changes } from './board-requests.ts';
import { applyChanges, isOnBoard, relationKey, watchedIn } from './changes.ts';
import { newestOf, type Reached } from './marks.ts';
import { AT_HAND, NEWEST } from './read-documents.ts';
import { wholeIssues } from './whole-issues.ts';

/** What no time of change tells, such as an issue that was deleted or a label's new name, is seen at least this often. */
const FULL_READ_EVERY_MS = 10 * 60_000;

interface BoardView {
  readonly team: TeamAnswer;
  /** By their ids. */
  readonly issues: ReadonlyMap<string, IssueAnswer>;
}

export interface BoardReading extends BoardView {
  /** The comments that are new or changed since the reading before; undefined where that cannot be told. */
  readonly said: readonly CommentHead[] | undefined;
}

export interface Board {
  read(signal: AbortSignal): Promise<BoardReading>;
}

interface Remembered extends BoardView {
  readonly readAt: number;
  readonly changes: Reached;
  readonly comments: Reached;
  /** The newest time that any issue had. */
  readonly newest: number | undefined;
  /** The newest relations of the workspace. */
  readonly relations: ReadonlySet<string>;
}

/**
 * Pages come in the order the issues were made in, so that one that changes while they are read is neither missed nor moved. A
 * reading reaches as far as what was known before it and what its first page shows; what changes after that page is asked for
 * by the next. Nothing is remembered of a reading that breaks off.
 */
export function openBoard(
  client: LinearClient,
  team: string,
  columns: () => ColumnNames,
  clock: Pick<Clock, 'now'>,
): Board {
  const requests = boardRequests(client, team);
  let remembered: Remembered | undefined;

  async function inFull(signal: AbortSignal): Promise<BoardReading> {
    const at = clock.now();
    const first = await requests.page(null, signal);
    const found = [...first.issues.nodes];
    for (let { pageInfo } = first.issues; pageInfo.hasNextPage; ) {
      const page = await requests.page(pageInfo.endCursor, signal);
      found.push(...page.issues.nodes);
      pageInfo = page.issues.pageInfo;
    }
    const whole = (await wholeIssues(client, found, AT_HAND, signal)).filter((issue) =>
      isOnBoard(issue, team),
    );
    const issues = new Map(whole.map((issue) => [issue.id, issue]));
    const reached = { mark: newestOf(first.issues.nodes), at };
    remembered = {
      ...{ team: first.team, issues, readAt: at, changes: reached, comments: reached },
      newest: newestOf(found),
      relations: keysOf(first.relations.nodes),
    };
    return { team: first.team, issues, said: undefined };
  }

  /** Undefined where it cannot be told that this is all; then only reading all of it helps. */
  async function changed(known: Remembered, signal: AbortSignal): Promise<BoardReading | undefined> {
    const at = clock.now();
    const watched = watchedIn(known, columns());
    const asked = {
      changes: known.changes,
      comments: known.comments,
      known: [...known.issues.keys()],
      watched,
    };
    const found = await requests.changes(asked, signal);
    if (!isComplete(found, known, watched)) return undefined;
    const nodes = [...found.changed.nodes];
    for (let { pageInfo } = found.changed; pageInfo.hasNextPage; ) {
      const page = await requests.changedPage(known.changes, pageInfo.endCursor, signal);
      nodes.push(...page.issues.nodes);
      pageInfo = page.issues.pageInfo;
    }
    const issues = await applyChanges(client, known.issues, { ...found, team, nodes }, signal);
    const mark = newestOf(found.changed.nodes, known.newest);
    const said = found.said.pageInfo.hasNextPage ? undefined : found.said.nodes;
    remembered = {
      ...{ team: found.team, issues, readAt: known.readAt },
      changes: { mark, at },
      comments: { mark: newestOf(found.said.nodes, newer(mark, known.comments.mark)), at },
      newest: newestOf(nodes, known.newest),
      relations: keysOf(found.relations.nodes),
    };
    return { team: found.team, issues, said };
  }

  return {
    async read(signal) {
      const known = remembered;
      const age = known === undefined ? -1 : clock.now() - known.readAt;
      // A clock that was set back says nothing about age.
      if (known === undefined || age < 0 || age >= FULL_READ_EVERY_MS) return inFull(signal);
      return (await changed(known, signal)) ?? inFull(signal);
    },
  };
}

/**
 * Not where the team has another key, so that all its issues have other ids; where more have left than are told at once; where all
 * of the newest relations are new, so that there may be more; and where one that waits for something is nowhere any more.
 */
function isComplete(found: Changes, known: Remembered, watched: readonly string[]): boolean {
  const { team, elsewhere, relations } = found;
  const there = new Set(found.watched.map(({ id }) => id));
  const isLinked =
    relations.nodes.length < NEWEST ||
    relations.nodes.some((relation) => known.relations.has(relationKey(relation)));
  return (
    team.key === known.team.key &&
    !elsewhere.pageInfo.hasNextPage &&
    isLinked &&
    watched.every((id) => there.has(id))
  );
}

function keysOf(relations: readonly NewRelationAnswer[]): ReadonlySet<string> {
  return new Set(relations.map(relationKey));
}

function newer(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
