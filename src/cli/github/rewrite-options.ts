/**
 * Rewrites the options of a board's Status field and restores the column of every item. GitHub
 * replaces the whole list of options and gives each option a new id, so every item loses its value.
 * The rewrite therefore saves the column of each item to a file (the note), writes the options,
 * then sets each item's column by name. The note is kept until the last item is restored, so that
 * the next run can finish the rewrite if this one is killed.
 */

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import type { Status } from '../../core/model/status.ts';
import type { GithubClient } from '../../integrations/github/client/client.ts';
import {
  createStep,
  type MutationStep,
  makeChanges,
} from '../../integrations/github/client/graphql-answer.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';
import { collectPages } from '../../lib/paginate.ts';
import { type BoardSetup, type ColumnOption, STATUS_FIELD } from './board.ts';
import type { ItemValuesQuery, SomeItemValuesQuery } from './generated/documents.generated.ts';

const UPDATE = `mutation WriteStatusOptions($input: UpdateProjectV2FieldInput!) {
  updateProjectV2Field(input: $input) { clientMutationId }
}`;

export interface RewriteContext {
  readonly client: GithubClient;
  /** The legion's state directory. */
  readonly state: string;
  /** Re-reads the board. */
  readonly readBoard: () => Promise<BoardSetup>;
  readonly signal: AbortSignal;
  /**
   * Called with the number of items and the path of the note. The note is written by then, and no
   * item has lost its column yet.
   */
  readonly onNoteWritten: (items: number, path: string) => void;
  /** Called with the number of restored items and the total. */
  readonly onProgress: (done: number, all: number) => void;
}

/**
 * Rewrites the options. `wanted` lists all options in their order. Resolves to the number of items
 * whose column was restored.
 */
export async function rewriteOptions(rewriting: RewriteContext, wanted: readonly string[]): Promise<number> {
  const { client, state, signal } = rewriting;
  const board = await rewriting.readBoard();
  const values = (await readAllItemValues(client, board, signal)).flatMap(({ option, ...value }) =>
    option === undefined ? [] : [{ ...value, option }],
  );
  const before = board.options.map(({ id }) => id);
  const note: RewriteNote = { board: board.id, field: board.field, before, values };
  writeRewriteNote(state, note);
  rewriting.onNoteWritten(values.length, getRewriteNotePath(state));
  const singleSelectOptions = wanted.map((name) => toOptionInput(name, board.options));
  try {
    await client.mutate(UPDATE, { input: { fieldId: board.field, singleSelectOptions } });
  } catch (error) {
    if (!isUnanswered(error)) {
      removeRewriteNote(state);
      throw error;
    }
    // GitHub may already have applied the change, or may still apply it. The option ids show
    // whether it has. The note is kept for the next run.
    if (!hasBegun(note, await rewriting.readBoard())) throw error;
  }
  return restoreItems(rewriting, note);
}

/**
 * Finishes a rewrite that was killed. Resolves to the number of items in its note, or undefined if
 * there is nothing to finish.
 */
export async function recoverInterruptedRewrite(rewriting: RewriteContext): Promise<number | undefined> {
  const { state } = rewriting;
  const note = readRewriteNote(state);
  if (note === undefined) return undefined;
  const board = await rewriting.readBoard();
  if (note.board !== board.id)
    throw new LegionError(
      'input.invalid',
      `${getRewriteNotePath(state)} belongs to a board other than ${board.name}. Remove it if that board no longer exists.`,
    );
  if (hasBegun(note, board)) return restoreItems(rewriting, note);
  removeRewriteNote(state);
  return undefined;
}

function hasBegun({ before }: RewriteNote, { options }: BoardSetup): boolean {
  return !options.some(({ id }) => before.includes(id));
}

function isUnanswered(error: unknown): boolean {
  return error instanceof LegionError && error.code === 'github.unavailable';
}

/**
 * Items per request. Each item needs at most three changes, and GitHub cuts off a request after ten
 * seconds.
 */
const ITEMS_A_REQUEST = 20;

async function restoreItems(rewriting: RewriteContext, note: RewriteNote): Promise<number> {
  const { client, state, signal, onProgress: progress } = rewriting;
  const { options } = await rewriting.readBoard();
  const ids = new Map(options.map(({ id, name }) => [name, id]));
  const removed = [...new Set(note.values.map(({ option }) => option).filter((option) => !ids.has(option)))];
  if (removed.length > 0)
    throw new LegionError(
      'tracker.column_missing',
      `Items belong to ${removed.join(', ')}, which the board no longer has. ${getRewriteNotePath(state)} lists them.`,
    );
  for (let at = 0; at < note.values.length; at += ITEMS_A_REQUEST) {
    progress(at, note.values.length);
    const some = note.values.slice(at, at + ITEMS_A_REQUEST);
    const now = await readItemValues(
      client,
      some.map(({ item }) => item),
      signal,
    );
    const steps = some.flatMap((value) => buildRestoreSteps(value, now.get(value.item), note, ids));
    await makeChanges(client, 'PutItemsBack', steps, { signal });
  }
  removeRewriteNote(state);
  return note.values.length;
}

/**
 * Skips an item that already has a column: either it was already restored, or a person moved it,
 * and the person's choice is kept.
 */
function buildRestoreSteps(
  { item, archived, option }: RewriteNote['values'][number],
  now: ItemValue | undefined,
  { board, field }: RewriteNote,
  ids: ReadonlyMap<string, string>,
): readonly MutationStep[] {
  if (now === undefined) return [];
  const input = { projectId: board, itemId: item };
  const value = { singleSelectOptionId: ids.get(option) };
  const isLost = now.option === undefined;
  return [
    // GitHub rejects changes to an archived item.
    ...(isLost && now.archived ? [createStep('unarchiveProjectV2Item', input)] : []),
    ...(isLost ? [createStep('updateProjectV2ItemFieldValue', { ...input, fieldId: field, value })] : []),
    ...(archived && (isLost || !now.archived) ? [createStep('archiveProjectV2Item', input)] : []),
  ];
}

/** Colours and descriptions of new columns. Existing columns keep their own. */
const STATUS_APPEARANCES: Readonly<Record<Status, { readonly color: string; readonly description: string }>> =
  {
    Triage: { color: 'GRAY', description: 'New; Legion will triage it' },
    Icebox: { color: 'GRAY', description: 'Needs a clearer description' },
    Backlog: { color: 'BLUE', description: 'Waiting for the architect' },
    Todo: { color: 'GREEN', description: 'Specified; waiting for a plan' },
    'In Progress': { color: 'YELLOW', description: 'Being implemented' },
    Testing: { color: 'ORANGE', description: 'Being tested' },
    'Needs Review': { color: 'PINK', description: 'Being reviewed' },
    Retro: { color: 'PURPLE', description: 'Lessons are recorded, then the pull request is merged' },
    Done: { color: 'PURPLE', description: 'Merged' },
  };

function toOptionInput(name: string, existing: readonly ColumnOption[]): Omit<ColumnOption, 'id'> {
  const known = existing.find((option) => option.name === name);
  if (known !== undefined) return { name, color: known.color, description: known.description };
  return { name, ...(STATUS_APPEARANCES[name as Status] ?? { color: 'GRAY', description: '' }) };
}

export interface ItemValue {
  readonly item: string;
  readonly archived: boolean;
  /** Name of the item's column. Undefined if the item is in no column. */
  readonly option: string | undefined;
}

/** GitHub's page limit. */
const PAGE_SIZE = 100;

const ITEM_VALUE_FIELDS = `
  id type isArchived
  value: fieldValueByName(name: $field) { ... on ProjectV2ItemFieldSingleSelectValue { name } }`;

export const ALL_VALUES_QUERY = `query ItemValues($board: ID!, $field: String!, $after: String) {
  node(id: $board) {
    ... on ProjectV2 { items(first: ${PAGE_SIZE}, after: $after) { nodes { ${ITEM_VALUE_FIELDS} } pageInfo { hasNextPage endCursor } } }
  }
}`;

export const SOME_VALUES_QUERY = `query SomeItemValues($items: [ID!]!, $field: String!) {
  nodes(ids: $items) { ... on ProjectV2Item { ${ITEM_VALUE_FIELDS} } }
}`;

/**
 * Reads the column of every board item that has one, including archived items. Columns are
 * identified by the option's name. Rejects if the account cannot see an item, because that item's
 * column could not be restored.
 */
export async function readAllItemValues(
  client: GithubClient,
  { id }: Pick<BoardSetup, 'id'>,
  signal: AbortSignal,
): Promise<readonly ItemValue[]> {
  const items = await collectPages(async (after) => {
    const variables = { board: id, field: STATUS_FIELD, after };
    const { node } = await client.query<ItemValuesQuery>(ALL_VALUES_QUERY, variables, { signal });
    if (node?.items === undefined) throw new LegionError('github.missing', 'The project no longer exists.');
    return { ...node.items, nodes: node.items.nodes ?? [] };
  });
  const visible = items.filter((item) => item !== null);
  if (visible.some(({ type }) => type === 'REDACTED'))
    throw new LegionError('github.forbidden', 'The account cannot see some items of the project.');
  return visible.map(toItemValue).filter(({ option }) => option !== undefined);
}

/** Returns the values of at most a hundred items by item id. Leaves out deleted items. */
export async function readItemValues(
  client: GithubClient,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ItemValue>> {
  const options = { signal, tolerates: ['NOT_FOUND'] };
  const { nodes } = await client.query<SomeItemValuesQuery>(
    SOME_VALUES_QUERY,
    { items, field: STATUS_FIELD },
    options,
  );
  const visible = nodes.filter((item): item is ShownItem => item !== null && 'id' in item);
  return new Map(visible.map((item) => [item.id, toItemValue(item)]));
}

type ShownItem = Extract<SomeItemValuesQuery['nodes'][number], { readonly id: string }>;

function toItemValue({ id, isArchived, value }: ShownItem): ItemValue {
  return { item: id, archived: isArchived, option: value?.name ?? undefined };
}

const FILE = 'status-options.json';
const FOLDER_MODE = 0o700;

const noteSchema = z.object({
  board: z.string().min(1),
  field: z.string().min(1),
  /**
   * Option ids from before the rewrite. While the board still has any of them, the new options have
   * not been written.
   */
  before: z.array(z.string()),
  values: z.array(z.object({ item: z.string().min(1), archived: z.boolean(), option: z.string().min(1) })),
});

export type RewriteNote = z.infer<typeof noteSchema>;

/**
 * Returns the path of the note that is needed to finish an interrupted rewrite of a board's
 * options.
 */
export function getRewriteNotePath(state: string): string {
  return join(state, FILE);
}

export function readRewriteNote(state: string): RewriteNote | undefined {
  const path = getRewriteNotePath(state);
  if (!existsSync(path)) return undefined;
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    // Does not delete the file, because it may be the only record of the items' columns.
    throw new LegionError('input.invalid', `${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Writes the note. Must be called before anything changes on GitHub. */
export function writeRewriteNote(state: string, note: RewriteNote): void {
  const path = getRewriteNotePath(state);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    writeDurablySync(path, `${JSON.stringify(note)}\n`);
  } catch (error) {
    throw new LegionError('daemon.state_unusable', `${path}: ${(error as Error).message}`, { cause: error });
  }
}

export function removeRewriteNote(state: string): void {
  rmSync(getRewriteNotePath(state), { force: true });
}
