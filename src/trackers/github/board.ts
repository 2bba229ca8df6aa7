/** Reading one board: whole at first and from time to time, in between by a digest that costs one request. */

import { LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';
import type { GithubClient } from '../../github/client.ts';
import type { IssuePartsFragment } from '../../integrations/github/generated/tracker.ts';
import {
  boardRequests,
  type FieldNames,
  type Pages,
  type ProjectName,
} from '../../integrations/github/tracker/board-requests.ts';
import { type BoardView, viewOf } from '../../integrations/github/tracker/board-view.ts';
import type { IssueHead, ReadPage } from './read-item.ts';

/** What no time of change tells, such as a new parent or a label's new name, is seen at least this often. */
const FULL_READ_EVERY_MS = 30 * 60_000;
/** Times a board is read whole until two readings agree, while people move its items. */
const READINGS_MAX = 4;

interface BoardReading {
  readonly view: BoardView;
  /** Issues that came whole; of the others only when they changed last. */
  readonly whole: readonly IssuePartsFragment[];
  readonly heads: readonly IssueHead[];
  /** The issues that GitHub's search, which is some seconds behind, knows to wait for others. */
  readonly blocked: ReadonlySet<string>;
  /** Of the nodes asked for that are still there, whether each is closed. */
  readonly foreign: ReadonlyMap<string, boolean>;
}

export interface Board {
  /** `foreign` are nodes that are not on the board and whose state is wanted too. */
  read(foreign: readonly string[], signal: AbortSignal): Promise<BoardReading>;
}

interface Remembered {
  /** Where each page begins. */
  readonly starts: readonly (string | null)[];
  /** Items that are counted but never shown, if GitHub has such. */
  readonly missing: number;
  readonly readAt: number;
}

/**
 * Whether all of it was read is told by the count that comes with every page, not by the cursors: what they mean once items
 * are moved or gone is GitHub's own affair. Pages that overlap do no harm; where an item lies between two, one is missing.
 */
export function openBoard(
  client: GithubClient,
  name: ProjectName,
  fields: FieldNames,
  clock: Pick<Clock, 'now'>,
): Board {
  const requests = boardRequests(client, name, fields);
  let remembered: Remembered | undefined;

  /** An item that is moved to a page already read would be missed: the count tells, or a second reading that finds the same. */
  async function inFull(signal: AbortSignal): Promise<BoardReading> {
    let before = '';
    for (let time = 1; time <= READINGS_MAX; time += 1) {
      const readAt = clock.now();
      const found = await requests.pagesFrom(null, signal);
      const ids = itemIds(found.pages);
      const missing = countIn(found.pages) - ids.size;
      const same = [...ids].sort().join(' ');
      if (missing === 0 || same === before) {
        remembered = { starts: [null, ...endsOf(found.pages.slice(0, -1))], missing, readAt };
        return reading(found, signal);
      }
      before = same;
    }
    throw new LegionError(
      'github.unavailable',
      `the board ${name.owner}/${name.number} changes while it is read`,
    );
  }

  /** Undefined where the pages do not fit together any more; then only reading all of it helps. */
  async function digest(
    known: Remembered,
    foreign: readonly string[],
    signal: AbortSignal,
  ): Promise<BoardReading | undefined> {
    const found = await requests.digest(known.starts, foreign, signal);
    const end = found.pages.at(-1)?.pageInfo;
    const more =
      end?.hasNextPage === true
        ? await requests.pagesFrom(end.endCursor, signal)
        : { pages: [], refused: [] };
    const pages = [...found.pages, ...more.pages];
    if (itemIds(pages).size + known.missing !== countIn(pages)) return undefined;
    remembered = { ...known, starts: [...known.starts, ...endsOf(pages.slice(known.starts.length - 1, -1))] };
    const refused = new Map([...found.refused, ...more.refused]);
    return reading({ ...found, pages, refused }, signal);
  }

  async function reading(
    { project, pages, blocked, foreign, refused }: Pages,
    signal: AbortSignal,
  ): Promise<BoardReading> {
    const contents = pages.flatMap(({ nodes }) => nodes.map(({ content }) => content));
    const heads = contents.filter((content): content is IssueHead => content?.__typename === 'Issue');
    const whole = heads.filter((head): head is IssuePartsFragment => 'title' in head);
    return {
      view: viewOf(project, pages, refused),
      whole,
      heads,
      blocked: await requests.blocked(blocked, signal),
      foreign,
    };
  }

  return {
    async read(foreign, signal) {
      const known = remembered;
      const age = known === undefined ? -1 : clock.now() - known.readAt;
      // A clock that was set back says nothing about age.
      if (known === undefined || age < 0 || age >= FULL_READ_EVERY_MS) return inFull(signal);
      try {
        return (await digest(known, foreign, signal)) ?? (await inFull(signal));
      } catch (error) {
        // A cursor may have become unknown; what else GitHub refuses, it will refuse again.
        if (error instanceof LegionError && error.code === 'github.refused') return inFull(signal);
        throw error;
      }
    },
  };
}

function itemIds(pages: readonly ReadPage[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
}

function countIn(pages: readonly ReadPage[]): number {
  return pages.at(-1)?.totalCount ?? 0;
}

function endsOf(pages: readonly ReadPage[]): readonly (string | null)[] {
  return pages.map(({ pageInfo }) => pageInfo.endCursor);
}
