/** In which column each item of a board is, by the name of the option. */
import { LegionError } from '../../core/model/fault.ts';
import type { GithubClient } from '../../github/client.ts';
import { everyPage } from '../../lib/paginate.ts';
import { type BoardSetup, STATUS_FIELD } from './board.ts';
import type { ItemValuesQuery, SomeItemValuesQuery } from './generated/documents.generated.ts';

export interface ItemValue {
  readonly item: string;
  readonly archived: boolean;
  /** Undefined where it is in no column. */
  readonly option: string | undefined;
}

/** GitHub gives and takes no more at once. */
const PAGE = 100;

const VALUE = `
  id type isArchived
  value: fieldValueByName(name: $field) { ... on ProjectV2ItemFieldSingleSelectValue { name } }`;

export const ALL = `query ItemValues($board: ID!, $field: String!, $after: String) {
  node(id: $board) {
    ... on ProjectV2 { items(first: ${PAGE}, after: $after) { nodes { ${VALUE} } pageInfo { hasNextPage endCursor } } }
  }
}`;

export const SOME = `query SomeItemValues($items: [ID!]!, $field: String!) {
  nodes(ids: $items) { ... on ProjectV2Item { ${VALUE} } }
}`;

/** Every item that is in a column, the archived ones too. Rejects where one may not be seen: nobody could say where it was. */
export async function allValues(
  client: GithubClient,
  { id }: Pick<BoardSetup, 'id'>,
  signal: AbortSignal,
): Promise<readonly ItemValue[]> {
  const items = await everyPage(async (after) => {
    const variables = { board: id, field: STATUS_FIELD, after };
    const { node } = await client.query<ItemValuesQuery>(ALL, variables, { signal });
    if (node?.items === undefined) throw new LegionError('github.missing', 'the project is gone');
    return { ...node.items, nodes: node.items.nodes ?? [] };
  });
  const shown = items.filter((item) => item !== null);
  if (shown.some(({ type }) => type === 'REDACTED'))
    throw new LegionError('github.forbidden', 'some items of the project may not be seen by the account');
  return shown.map(valueIn).filter(({ option }) => option !== undefined);
}

/** By the item; those that are gone are missing. At most a hundred. */
export async function valuesOf(
  client: GithubClient,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ItemValue>> {
  const how = { signal, tolerates: ['NOT_FOUND'] };
  const { nodes } = await client.query<SomeItemValuesQuery>(SOME, { items, field: STATUS_FIELD }, how);
  const shown = nodes.filter((item): item is ShownItem => item !== null && 'id' in item);
  return new Map(shown.map((item) => [item.id, valueIn(item)]));
}

type ShownItem = Extract<SomeItemValuesQuery['nodes'][number], { readonly id: string }>;

function valueIn({ id, isArchived, value }: ShownItem): ItemValue {
  return { item: id, archived: isArchived, option: value?.name ?? undefined };
}
