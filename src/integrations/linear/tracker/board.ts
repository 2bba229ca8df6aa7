/**
 * Reads a team's board: in full at first and periodically, and in between only the changes, in one
 * request.
 */

import type { Clock } from '../../../core/model/clock.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { isRefusal, isUnavailable } from '../../../lib/read-isolated.ts';
import type { LinearClient } from '../client/client.ts';
import type {
  CommentHeadFragment,
  NewRelationPartsFragment,
  StatePartsFragment,
  TeamPartsFragment,
} from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';
import {
  type BoardChanges,
  createBoardRequests,
  findNewestTime,
  type ReadProgress,
} from './board-requests.ts';
import { applyChanges, isOnBoard, listWatchedIds, toRelationKey } from './changes.ts';
import { AT_HAND, NEWEST } from './documents.ts';
import { listBlockers } from './to-issue.ts';
import { readIssuesIsolated, readWholeIssues } from './whole-issues.ts';

/**
 * Interval between full reads, which find changes that do not affect `updatedAt`, such as a deleted
 * issue or a renamed label.
 */
const FULL_READ_INTERVAL_MS = 10 * 60_000;

interface BoardView {
  readonly team: TeamPartsFragment;
  /** Keyed by issue id. */
  readonly issues: ReadonlyMap<string, LinearIssue>;
}

export interface BoardReading extends BoardView {
  /** Comments that are new or changed since the previous read. Undefined if these are unknown. */
  readonly said: readonly CommentHeadFragment[] | undefined;
}

export interface LinearBoard {
  read(signal: AbortSignal): Promise<BoardReading>;
  /** Returns the reason for each issue that is left out because Linear never showed it. */
  missing(): readonly string[];
  /** Returns the states of the team, as last read. */
  states(): readonly StatePartsFragment[] | undefined;
}

interface RememberedBoard extends BoardView {
  readonly readAt: number;
  readonly changes: ReadProgress;
  readonly comments: ReadProgress;
  /** The newest `updatedAt` of any issue. */
  readonly newest: number | undefined;
  /** The newest relations in the workspace. */
  readonly relations: ReadonlySet<string>;
}

/**
 * Pages are ordered by creation, so an issue that changes during the read is neither missed nor
 * moved to another page. A read's `mark` comes from earlier reads and from its first page, and the
 * next read requests the changes after `mark`. An aborted read is not remembered.
 */
export function openBoard(
  client: LinearClient,
  team: string,
  columns: () => ColumnNames,
  clock: Pick<Clock, 'now'>,
): LinearBoard {
  const requests = createBoardRequests(client, team);
  let remembered: RememberedBoard | undefined;
  let missing: ReadonlyMap<string, string> = new Map();
  /** Issues that Linear refused to return in full. They are read separately. */
  let suspects: ReadonlySet<string> = new Set();
  /** Number of consecutive reads that failed because Linear was unavailable. */
  let failures = 0;

  async function readInFull(signal: AbortSignal): Promise<BoardReading> {
    const at = clock.now();
    const first = await requests.page(null, signal);
    const nodes = [...first.issues.nodes];
    for (let { pageInfo } = first.issues; pageInfo.hasNextPage; ) {
      const page = await requests.page(pageInfo.endCursor, signal);
      nodes.push(...page.issues.nodes);
      pageInfo = page.issues.pageInfo;
    }
    const whole = (await readWholeIssues(client, nodes, AT_HAND, signal)).filter((issue) =>
      isOnBoard(issue, team),
    );
    const issues = new Map(whole.map((issue) => [issue.id, issue]));
    const reached = { mark: findNewestTime(first.issues.nodes), at };
    remembered = {
      team: first.team,
      issues,
      readAt: at,
      changes: reached,
      comments: reached,
      newest: findNewestTime(nodes),
      relations: toRelationKeys(first.relations.nodes),
    };
    return { team: first.team, issues, said: undefined };
  }

  /** Returns undefined if the changes may be incomplete, which requires a full read. */
  async function readChanges(known: RememberedBoard, signal: AbortSignal): Promise<BoardReading | undefined> {
    const at = clock.now();
    const watched = listWatchedIds(known, columns());
    const request = {
      changes: known.changes,
      comments: known.comments,
      known: [...known.issues.keys()],
      watched,
    };
    const changes = await requests.changes(request, signal);
    if (!isComplete(changes, known, watched)) return undefined;
    const nodes = [...changes.changed.nodes];
    for (let { pageInfo } = changes.changed; pageInfo.hasNextPage; ) {
      const page = await requests.changedPage(known.changes, pageInfo.endCursor, signal);
      nodes.push(...page.issues.nodes);
      pageInfo = page.issues.pageInfo;
    }
    const issues = await applyChanges(client, known.issues, { ...changes, team, nodes }, signal);
    const mark = findNewestTime(changes.changed.nodes, known.newest);
    const newComments = changes.said.pageInfo.hasNextPage ? undefined : changes.said.nodes;
    remembered = {
      team: changes.team,
      issues,
      readAt: known.readAt,
      changes: { mark, at },
      comments: { mark: findNewestTime(changes.said.nodes, pickNewer(mark, known.comments.mark)), at },
      newest: findNewestTime(nodes, known.newest),
      relations: toRelationKeys(changes.relations.nodes),
    };
    return { team: changes.team, issues, said: newComments };
  }

  /**
   * Reads issues in separate requests after the request for all issues was refused. Only changed or
   * blocked issues are read again.
   */
  async function readSeparately(
    known: RememberedBoard | undefined,
    signal: AbortSignal,
  ): Promise<BoardReading> {
    const at = clock.now();
    const { team: present, heads, problems } = await requests.heads(signal);
    const unchanged = new Map(
      heads.flatMap(({ id, updatedAt }): [string, LinearIssue][] => {
        const issue = known?.issues.get(id);
        const isSame = issue?.updatedAt === updatedAt && issue.refused === undefined;
        return issue !== undefined && isSame && listBlockers(issue).length === 0 ? [[id, issue]] : [];
      }),
    );
    const outdated = heads.map(({ id }) => id).filter((id) => !unchanged.has(id));
    const result = await readIssuesIsolated(
      client,
      outdated,
      { suspects, isPersistent: failures > 0 },
      signal,
    );
    const issues = new Map(unchanged);
    for (const [id, issue] of result.issues) if (isOnBoard(issue, team)) issues.set(id, issue);
    missing = new Map(problems.map((problem) => [problem, problem]));
    for (const [id, reason] of result.missing) {
      const last = known?.issues.get(id);
      if (last === undefined) missing = new Map([...missing, [id, reason]]);
      else issues.set(id, { ...last, refused: reason });
    }
    suspects = new Set([
      ...result.missing.keys(),
      ...[...result.issues.values()].filter(({ refused }) => refused !== undefined).map(({ id }) => id),
    ]);
    const reached = { mark: findNewestTime(heads), at };
    remembered = {
      team: present,
      issues,
      readAt: known?.readAt ?? at,
      changes: reached,
      comments: reached,
      newest: findNewestTime(heads),
      relations: new Set(),
    };
    return { team: present, issues, said: undefined };
  }

  async function readTogether(
    known: RememberedBoard | undefined,
    signal: AbortSignal,
  ): Promise<BoardReading> {
    const reading = known === undefined ? undefined : await readChanges(known, signal);
    const whole = reading ?? (await readInFull(signal));
    missing = new Map();
    suspects = new Set();
    failures = 0;
    return whole;
  }

  return {
    missing: () => [...missing.values()],
    states: () => remembered?.team.states.nodes,
    async read(signal) {
      const known = remembered;
      const age = known === undefined ? -1 : clock.now() - known.readAt;
      // If the clock was set back, the age of the last full read is unknown.
      const isRecent = known !== undefined && age >= 0 && age < FULL_READ_INTERVAL_MS;
      if (isRecent && suspects.size + missing.size > 0) return readSeparately(known, signal);
      try {
        return await readTogether(isRecent ? known : undefined, signal);
      } catch (error) {
        // A first failure may be temporary. If it repeats, one issue may be the cause.
        const isPersistent = isUnavailable(error) && failures > 0;
        if (isUnavailable(error)) failures += 1;
        if (!isRefusal(error) && !isPersistent) throw error;
        const reading = await readSeparately(isRecent ? known : undefined, signal);
        // If no single issue was refused, the cause of the refusal is not an issue, and every
        // reconcile pass would be refused again.
        if (suspects.size === 0 && missing.size === 0) throw error;
        return reading;
      }
    },
  };
}

/**
 * Returns false if changes may be missing:
 * - The team's key changed, and with it every issue id.
 * - More issues left the board than one request reports.
 * - All of the newest relations are new, so there may be more.
 * - A watched issue is gone.
 */
function isComplete(changes: BoardChanges, known: RememberedBoard, watched: readonly string[]): boolean {
  const { team, elsewhere, relations, isWhole } = changes;
  const watchedIds = new Set(changes.watched.map(({ id }) => id));
  const isLinked =
    relations.nodes.length < NEWEST ||
    relations.nodes.some((relation) => known.relations.has(toRelationKey(relation)));
  return (
    isWhole &&
    team.key === known.team.key &&
    !elsewhere.pageInfo.hasNextPage &&
    isLinked &&
    watched.every((id) => watchedIds.has(id))
  );
}

function toRelationKeys(relations: readonly NewRelationPartsFragment[]): ReadonlySet<string> {
  return new Set(relations.map(toRelationKey));
}

function pickNewer(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
