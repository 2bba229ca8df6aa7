/** Returns one page of a list. Cursors stay valid when earlier entries are removed. */
import { GithubRefusal } from '../model/fault.ts';
import { SchemaValue } from './shape.ts';

export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

export function buildConnection<T extends object>(
  type: string,
  all: readonly T[],
  page: PageArguments,
  more: {
    readonly edge?: (item: T) => Readonly<Record<string, unknown>>;
    readonly fields?: Record<string, unknown>;
  } = {},
): SchemaValue {
  const keys = all.map(getCursorKey);
  const descending = keys.length > 1 && (keys[0] ?? 0) > (keys.at(-1) ?? 0);
  const start = page.after == null ? 0 : placeAfter(keys, readCursor(page.after), descending);
  const end = page.before == null ? all.length : placeOf(keys, readCursor(page.before), descending);
  let from = start;
  let to = Math.max(start, end);
  if (page.first != null) to = Math.min(to, from + page.first);
  else if (page.last != null) from = Math.max(from, to - page.last);
  const nodes = all.slice(from, to);
  const cursors = keys.slice(from, to).map(writeCursor);
  return new SchemaValue(type, {
    nodes,
    edges: nodes.map(
      (node, index) =>
        new SchemaValue(type.replace(/Connection$/, 'Edge'), {
          node,
          cursor: cursors[index],
          ...more.edge?.(node),
        }),
    ),
    totalCount: all.length,
    pageInfo: new SchemaValue('PageInfo', {
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null,
      hasNextPage: to < all.length,
      hasPreviousPage: from > 0,
    }),
    ...more.fields,
  });
}

/** Returns the number of the node, or its position in the list if it has no number. */
function getCursorKey(item: object, index: number): number {
  return 'databaseId' in item && typeof item.databaseId === 'number' ? item.databaseId : index + 1;
}

function placeAfter(keys: readonly number[], key: number, descending: boolean): number {
  const found = keys.indexOf(key);
  return found >= 0 ? found + 1 : placeOf(keys, key, descending);
}

/** Returns the index of the key, or the index it would have if it still existed. */
function placeOf(keys: readonly number[], key: number, descending: boolean): number {
  const found = keys.findIndex((each) => (descending ? each <= key : each >= key));
  return found < 0 ? keys.length : found;
}

function writeCursor(key: number): string {
  return Buffer.from(`cursor:v2:${key}`).toString('base64');
}

function readCursor(cursor: string): number {
  const [, key] = /^cursor:v2:(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (key === undefined) {
    throw new GithubRefusal(
      'INVALID_CURSOR_ARGUMENTS',
      `\`${cursor}\` does not appear to be a valid cursor.`,
    );
  }
  return Number(key);
}
