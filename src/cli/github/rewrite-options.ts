/**
 * Writes the options of a board's Status field anew and puts every item back into its column.
 *
 * GitHub takes the whole list of options at once and gives each a new id, so every item loses its value. Therefore: note which
 * item is in which column, write the options, then set each item's column by name. The note stays until the last item is back;
 * whoever comes after a kill goes on from it.
 */
import { LegionError } from '../../core/model/fault.ts';
import type { Status } from '../../core/model/status.ts';
import type { GithubClient } from '../../github/client.ts';
import { makeChanges, type Step, step } from '../../github/in-one-request.ts';
import type { BoardSetup, ColumnOption } from './board.ts';
import { allValues, type ItemValue, valuesOf } from './item-values.ts';
import { notePath, type RewriteNote, readNote, removeNote, writeNote } from './rewrite-note.ts';

/** Items a request: each is at most three changes, and GitHub ends a request after ten seconds. */
const ITEMS_A_REQUEST = 20;

const UPDATE = `mutation WriteStatusOptions($input: UpdateProjectV2FieldInput!) {
  updateProjectV2Field(input: $input) { clientMutationId }
}`;

/** Colours of what Legion makes; those that are there keep theirs. */
const LOOKS: Readonly<Record<Status, { readonly color: string; readonly description: string }>> = {
  Triage: { color: 'GRAY', description: 'New; Legion sorts it' },
  Icebox: { color: 'GRAY', description: 'Needs a clearer description' },
  Backlog: { color: 'BLUE', description: 'Waits for the architect' },
  Todo: { color: 'GREEN', description: 'Specified; waits for a plan' },
  'In Progress': { color: 'YELLOW', description: 'Is being implemented' },
  Testing: { color: 'ORANGE', description: 'Is being tested' },
  'Needs Review': { color: 'PINK', description: 'Is being reviewed' },
  Retro: { color: 'PURPLE', description: 'Lessons are written; then it is merged' },
  Done: { color: 'PURPLE', description: 'Merged' },
};

export interface Rewriting {
  readonly client: GithubClient;
  /** The legion's state folder. */
  readonly state: string;
  /** Reads the board anew. */
  readonly board: () => Promise<BoardSetup>;
  readonly signal: AbortSignal;
  /** Told once the note is written and before anything is lost: where it is. */
  readonly noted: (items: number, path: string) => void;
  /** Items that are back, of how many. */
  readonly progress: (done: number, all: number) => void;
}

/** `wanted`: all options in their order. Resolves to how many items were put back. */
export async function rewriteOptions(rewriting: Rewriting, wanted: readonly string[]): Promise<number> {
  const { client, state, signal } = rewriting;
  const board = await rewriting.board();
  const values = (await allValues(client, board, signal)).flatMap(({ option, ...value }) =>
    option === undefined ? [] : [{ ...value, option }],
  );
  const before = board.options.map(({ id }) => id);
  const note: RewriteNote = { board: board.id, field: board.field, before, values };
  writeNote(state, note);
  rewriting.noted(values.length, notePath(state));
  const singleSelectOptions = wanted.map((name) => optionInput(name, board.options));
  try {
    await client.mutate(UPDATE, { input: { fieldId: board.field, singleSelectOptions } });
  } catch (error) {
    if (!isUnanswered(error)) {
      removeNote(state);
      throw error;
    }
    // It may have happened, or be about to: the ids tell, and the note stays for whoever comes next.
    if (!hasBegun(note, await rewriting.board())) throw error;
  }
  return putBack(rewriting, note);
}

/** What a kill has left, if anything; resolves to how many items were looked after. */
export async function finishRewriting(rewriting: Rewriting): Promise<number | undefined> {
  const { state } = rewriting;
  const note = readNote(state);
  if (note === undefined) return undefined;
  const board = await rewriting.board();
  if (note.board !== board.id)
    throw new LegionError(
      'input.invalid',
      `${notePath(state)} is about another board than ${board.name}; remove it if that one is gone`,
    );
  if (hasBegun(note, board)) return putBack(rewriting, note);
  removeNote(state);
  return undefined;
}

function hasBegun({ before }: RewriteNote, { options }: BoardSetup): boolean {
  return !options.some(({ id }) => before.includes(id));
}

function isUnanswered(error: unknown): boolean {
  return error instanceof LegionError && error.code === 'github.unavailable';
}

async function putBack(rewriting: Rewriting, note: RewriteNote): Promise<number> {
  const { client, state, signal, progress } = rewriting;
  const { options } = await rewriting.board();
  const ids = new Map(options.map(({ id, name }) => [name, id]));
  const gone = [...new Set(note.values.map(({ option }) => option).filter((option) => !ids.has(option)))];
  if (gone.length > 0)
    throw new LegionError(
      'tracker.column_missing',
      `items belong to ${gone.join(', ')}, which the board does not have any more; ${notePath(state)} has them`,
    );
  for (let at = 0; at < note.values.length; at += ITEMS_A_REQUEST) {
    progress(at, note.values.length);
    const some = note.values.slice(at, at + ITEMS_A_REQUEST);
    const now = await valuesOf(
      client,
      some.map(({ item }) => item),
      signal,
    );
    const steps = some.flatMap((value) => stepsFor(value, now.get(value.item), note, ids));
    await makeChanges(client, 'PutItemsBack', steps, { signal });
  }
  removeNote(state);
  return note.values.length;
}

/** An item that is in a column already was put back before, or moved by a person, whose word counts. */
function stepsFor(
  { item, archived, option }: RewriteNote['values'][number],
  now: ItemValue | undefined,
  { board, field }: RewriteNote,
  ids: ReadonlyMap<string, string>,
): readonly Step[] {
  if (now === undefined) return [];
  const input = { projectId: board, itemId: item };
  const value = { singleSelectOptionId: ids.get(option) };
  const isLost = now.option === undefined;
  return [
    // GitHub changes nothing of an archived item.
    ...(isLost && now.archived ? [step('unarchiveProjectV2Item', input)] : []),
    ...(isLost ? [step('updateProjectV2ItemFieldValue', { ...input, fieldId: field, value })] : []),
    ...(archived && (isLost || !now.archived) ? [step('archiveProjectV2Item', input)] : []),
  ];
}

function optionInput(name: string, there: readonly ColumnOption[]): Omit<ColumnOption, 'id'> {
  const known = there.find((option) => option.name === name);
  if (known !== undefined) return { name, color: known.color, description: known.description };
  return { name, ...(LOOKS[name as Status] ?? { color: 'GRAY', description: '' }) };
}
