/** In which column each item of a board is, by the name of the option. */
import { LegionError } from '../../domain/fault.ts';
import type { GithubClient, Variables } from '../../github/client.ts';
import { type BoardSetup, STATUS_FIELD } from './board.ts';

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

const ALL = `query ItemValues($board: ID!, $field: String!, $after: String) {
  node(id: $board) {
    ... on ProjectV2 { items(first: ${PAGE}, after: $after) { nodes { ${VALUE} } pageInfo { hasNextPage endCursor } } }
  }
}`;

const SOME = `query SomeItemValues($items: [ID!]!, $field: String!) {
  nodes(ids: $items) { ... on ProjectV2Item { ${VALUE} } }
}`;

interface ItemAnswer {
  readonly id: string;
  readonly type: string;
  readonly isArchived: boolean;
  readonly value: { readonly name?: string | null } | null;
}

interface AllAnswer {
  readonly node: {
    readonly items: {
      readonly nodes: readonly (ItemAnswer | null)[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

/** Every item that is in a column, the archived ones too. Rejects where one may not be seen: nobody could say where it was. */
export async function allValues(
  client: GithubClient,
  { id }: Pick<BoardSetup, 'id'>,
  signal: AbortSignal,
): Promise<readonly ItemValue[]> {
  const values: ItemValue[] = [];
  let after: string | null = null;
  for (;;) {
    const variables: Variables = { board: id, field: STATUS_FIELD, after };
    const { node }: AllAnswer = await client.query(ALL, variables, { signal });
    const items = node.items.nodes.filter((item) => item !== null);
    if (items.some(({ type }) => type === 'REDACTED'))
      throw new LegionError('github.forbidden', 'some items of the project may not be seen by the account');
    values.push(...items.map(valueIn));
    if (!node.items.pageInfo.hasNextPage) return values.filter(({ option }) => option !== undefined);
    after = node.items.pageInfo.endCursor;
  }
}

/** By the item; those that are gone are missing. At most a hundred. */
export async function valuesOf(
  client: GithubClient,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ItemValue>> {
  const how = { signal, tolerates: ['NOT_FOUND'] };
  const { nodes } = await client.query<{ nodes: readonly (ItemAnswer | null)[] }>(
    SOME,
    { items, field: STATUS_FIELD },
    how,
  );
  return new Map(nodes.flatMap((item) => (item === null ? [] : [[item.id, valueIn(item)] as const])));
}

function valueIn({ id, isArchived, value }: ItemAnswer): ItemValue {
  return { item: id, archived: isArchived, option: value?.name ?? undefined };
}
