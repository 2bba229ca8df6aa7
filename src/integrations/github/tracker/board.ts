/**
 * Reads one board: in full at first and periodically, and in between as a digest that costs one
 * request.
 */
import type { Clock } from '../../../core/model/clock.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { GithubClient } from '../client/client.ts';
import type { IssuePartsFragment } from '../generated/tracker.ts';
import { type BoardPages, createBoardRequests, type FieldNames, type ProjectName } from './board-requests.ts';
import { type BoardView, buildBoardView } from './board-view.ts';
import type { IssueHead, ParsedBoardPage } from './read-answer.ts';

/**
 * Interval between full reads, which find changes that do not affect `updatedAt`, such as a new
 * parent or a renamed label.
 */
const FULL_READ_INTERVAL_MS = 30 * 60_000;
/** Maximum number of full reads. If people move items, the board is read until two reads agree. */
const MAX_FULL_READINGS = 4;

interface BoardReading {
  readonly view: BoardView;
  /** Issues that were returned in full. Of all others, only `updatedAt` is known. */
  readonly whole: readonly IssuePartsFragment[];
  readonly heads: readonly IssueHead[];
  /** Issues that GitHub's search reports as blocked. The search lags by a few seconds. */
  readonly blocked: ReadonlySet<string>;
  /** Maps each requested node to whether it is closed. Nodes that no longer exist are absent. */
  readonly offBoard: ReadonlyMap<string, boolean>;
}

export interface GithubBoard {
  /** Reads the board. `offBoard` are nodes outside the board whose state is also requested. */
  read(offBoard: readonly string[], signal: AbortSignal): Promise<BoardReading>;
}

interface RememberedPages {
  /** Start cursor of each page. */
  readonly starts: readonly (string | null)[];
  /** Number of items that GitHub includes in the total but never returns. */
  readonly missing: number;
  readonly readAt: number;
}

/**
 * GitHub does not document what a cursor means after items have moved or disappeared, so every page
 * is checked against the total count. Overlapping pages are harmless. If an item falls between two
 * pages, the count differs.
 */
export function openBoard(
  client: GithubClient,
  name: ProjectName,
  fields: FieldNames,
  clock: Pick<Clock, 'now'>,
): GithubBoard {
  const requests = createBoardRequests(client, name, fields);
  let remembered: RememberedPages | undefined;

  /**
   * Reads the whole board. An item that moves to a page already read would be missed, so the number
   * of items must match the total, or a second read must return the same items.
   */
  async function readInFull(signal: AbortSignal): Promise<BoardReading> {
    let before = '';
    for (let time = 1; time <= MAX_FULL_READINGS; time += 1) {
      const readAt = clock.now();
      const result = await requests.pagesFrom(null, signal);
      const ids = collectItemIds(result.pages);
      const missing = readTotalCount(result.pages) - ids.size;
      const idsKey = [...ids].sort().join(' ');
      if (missing === 0 || idsKey === before) {
        remembered = { starts: [null, ...listEndCursors(result.pages.slice(0, -1))], missing, readAt };
        return toReading(result, signal);
      }
      before = idsKey;
    }
    throw new LegionError(
      'github.unavailable',
      `Board ${name.owner}/${name.number} kept changing while it was read`,
    );
  }

  /** Returns undefined if the pages no longer fit together, which requires a full read. */
  async function readDigest(
    known: RememberedPages,
    offBoard: readonly string[],
    signal: AbortSignal,
  ): Promise<BoardReading | undefined> {
    const result = await requests.digest(known.starts, offBoard, signal);
    const end = result.pages.at(-1)?.pageInfo;
    const more =
      end?.hasNextPage === true
        ? await requests.pagesFrom(end.endCursor, signal)
        : { pages: [], refused: [] };
    const pages = [...result.pages, ...more.pages];
    if (collectItemIds(pages).size + known.missing !== readTotalCount(pages)) return undefined;
    remembered = {
      ...known,
      starts: [...known.starts, ...listEndCursors(pages.slice(known.starts.length - 1, -1))],
    };
    const refused = new Map([...result.refused, ...more.refused]);
    return toReading({ ...result, pages, refused }, signal);
  }

  async function toReading(
    { project, pages, blocked, offBoard, refused }: BoardPages,
    signal: AbortSignal,
  ): Promise<BoardReading> {
    const contents = pages.flatMap(({ nodes }) => nodes.map(({ content }) => content));
    const heads = contents.filter((content): content is IssueHead => content?.__typename === 'Issue');
    const whole = heads.filter((head): head is IssuePartsFragment => 'title' in head);
    return {
      view: buildBoardView(project, pages, refused),
      whole,
      heads,
      blocked: await requests.blocked(blocked, signal),
      offBoard,
    };
  }

  return {
    async read(offBoard, signal) {
      const known = remembered;
      const age = known === undefined ? -1 : clock.now() - known.readAt;
      // If the clock was set back, the age of the last full read is unknown.
      if (known === undefined || age < 0 || age >= FULL_READ_INTERVAL_MS) return readInFull(signal);
      try {
        return (await readDigest(known, offBoard, signal)) ?? (await readInFull(signal));
      } catch (error) {
        // A refusal may mean that a cursor has become invalid. If not, the full read fails with the
        // same refusal.
        if (error instanceof LegionError && error.code === 'github.refused') return readInFull(signal);
        throw error;
      }
    },
  };
}

function collectItemIds(pages: readonly ParsedBoardPage[]): ReadonlySet<string> {
  return new Set(pages.flatMap(({ nodes }) => nodes.map(({ id }) => id)));
}

function readTotalCount(pages: readonly ParsedBoardPage[]): number {
  return pages.at(-1)?.totalCount ?? 0;
}

function listEndCursors(pages: readonly ParsedBoardPage[]): readonly (string | null)[] {
  return pages.map(({ pageInfo }) => pageInfo.endCursor);
}
