/** Reading a team's board: whole at first and from time to time, in between what has changed, by one request. */

import type { ColumnNames } from '../../../core/model/status.ts';
import type { Clock } from '../../../domain/clock.ts';
import { isRefusal, isUnavailable } from '../../../lib/read-isolated.ts';
import type { LinearClient } from '../../../linear/client.ts';
import type { LinearIssue } from '../../../trackers/linear/linear-issue.ts';
import { newestOf, type Reached } from '../../../trackers/linear/marks.ts';
import { readApart } from '../../../trackers/linear/read-apart.ts';
import { blockersOf } from '../../../trackers/linear/to-issue.ts';
import { wholeIssues } from '../../../trackers/linear/whole-issues.ts';
import type {
  CommentHeadFragment,
  NewRelationPartsFragment,
  StatePartsFragment,
  TeamPartsFragment,
} from '../generated/tracker.ts';
import { boardRequests, type Changes } from './board-requests.ts';
import { applyChanges, isOnBoard, relationKey, watchedIn } from './changes.ts';
import { AT_HAND, NEWEST } from './documents.ts';

/** What no time of change tells, such as an issue that was deleted or a label's new name, is seen at least this often. */
const FULL_READ_EVERY_MS = 10 * 60_000;

interface BoardView {
  readonly team: TeamPartsFragment;
  /** By their ids. */
  readonly issues: ReadonlyMap<string, LinearIssue>;
}

export interface BoardReading extends BoardView {
  /** The comments that are new or changed since the reading before; undefined where that cannot be told. */
  readonly said: readonly CommentHeadFragment[] | undefined;
}

export interface Board {
  read(signal: AbortSignal): Promise<BoardReading>;
  /** Why issues are left out that Linear never showed. */
  missing(): readonly string[];
  /** Of the team, as they were last read. */
  states(): readonly StatePartsFragment[] | undefined;
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
  let missing: ReadonlyMap<string, string> = new Map();
  /** Issues that Linear refused to show whole, for whose sake the others are read apart from them. */
  let suspects: ReadonlySet<string> = new Set();
  /** Looks in a row for which Linear was unavailable. */
  let failures = 0;

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

  /** Where a request for all is refused for one: only what has changed, or waits for something, is read again. */
  async function apart(known: Remembered | undefined, signal: AbortSignal): Promise<BoardReading> {
    const at = clock.now();
    const { team: present, heads, problems } = await requests.heads(signal);
    const kept = new Map(
      heads.flatMap(({ id, updatedAt }): [string, LinearIssue][] => {
        const issue = known?.issues.get(id);
        const isSame = issue?.updatedAt === updatedAt && issue.refused === undefined;
        return issue !== undefined && isSame && blockersOf(issue).length === 0 ? [[id, issue]] : [];
      }),
    );
    const asked = heads.map(({ id }) => id).filter((id) => !kept.has(id));
    const found = await readApart(client, asked, { suspects, isPersistent: failures > 0 }, signal);
    const issues = new Map(kept);
    for (const [id, issue] of found.issues) if (isOnBoard(issue, team)) issues.set(id, issue);
    missing = new Map(problems.map((problem) => [problem, problem]));
    for (const [id, reason] of found.missing) {
      const last = known?.issues.get(id);
      if (last === undefined) missing = new Map([...missing, [id, reason]]);
      else issues.set(id, { ...last, refused: reason });
    }
    suspects = new Set([
      ...found.missing.keys(),
      ...[...found.issues.values()].filter(({ refused }) => refused !== undefined).map(({ id }) => id),
    ]);
    const reached = { mark: newestOf(heads), at };
    remembered = {
      ...{ team: present, issues, readAt: known?.readAt ?? at, changes: reached, comments: reached },
      newest: newestOf(heads),
      relations: new Set(),
    };
    return { team: present, issues, said: undefined };
  }

  async function together(known: Remembered | undefined, signal: AbortSignal): Promise<BoardReading> {
    const reading = known === undefined ? undefined : await changed(known, signal);
    const whole = reading ?? (await inFull(signal));
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
      // A clock that was set back says nothing about age.
      const isRecent = known !== undefined && age >= 0 && age < FULL_READ_EVERY_MS;
      if (isRecent && suspects.size + missing.size > 0) return apart(known, signal);
      try {
        return await together(isRecent ? known : undefined, signal);
      } catch (error) {
        // The first time it may pass; when it comes again, one issue may be the cause.
        const isPersistent = isUnavailable(error) && failures > 0;
        if (isUnavailable(error)) failures += 1;
        if (!isRefusal(error) && !isPersistent) throw error;
        const reading = await apart(isRecent ? known : undefined, signal);
        // Without a culprit the refusal was not about an issue, and would come again with every look.
        if (suspects.size === 0 && missing.size === 0) throw error;
        return reading;
      }
    },
  };
}

/**
 * Not where the team has another key, so that all its issues have other ids; where more have left than are told at once; where all
 * of the newest relations are new, so that there may be more; and where one that waits for something is nowhere any more.
 */
function isComplete(found: Changes, known: Remembered, watched: readonly string[]): boolean {
  const { team, elsewhere, relations, isWhole } = found;
  const there = new Set(found.watched.map(({ id }) => id));
  const isLinked =
    relations.nodes.length < NEWEST ||
    relations.nodes.some((relation) => known.relations.has(relationKey(relation)));
  return (
    isWhole &&
    team.key === known.team.key &&
    !elsewhere.pageInfo.hasNextPage &&
    isLinked &&
    watched.every((id) => there.has(id))
  );
}

function keysOf(relations: readonly NewRelationPartsFragment[]): ReadonlySet<string> {
  return new Set(relations.map(relationKey));
}

function newer(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
