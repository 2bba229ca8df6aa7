/** Reads the items of a board without trust in their form: a malformed one is left out and reported. */
import { decode } from '../../domain/decode.ts';
import type { DigestPageFragment, ItemPartsFragment } from '../../integrations/github/generated/tracker.ts';
import { itemAnswer } from './answer-schemas.ts';

/** With its content as a digest has it; a page that was read in full has the whole issue there. */
type BoardItem = NonNullable<NonNullable<DigestPageFragment['nodes']>[number]>;

export type IssueHead = Extract<BoardItem['content'], { readonly __typename: 'Issue' }>;

export interface ReadPage extends Omit<DigestPageFragment, 'nodes'> {
  readonly nodes: readonly BoardItem[];
  /** What is wrong with items that do not have the form of one. */
  readonly malformed: readonly string[];
}

/** An item that GitHub shows nothing of is counted, but not there. */
export function readPage(page: DigestPageFragment): ReadPage {
  const malformed: string[] = [];
  const nodes = (page.nodes ?? []).flatMap((node) => {
    if (node === null) return [];
    const problem = problemOf(node);
    if (problem !== undefined) malformed.push(problem);
    return problem === undefined ? [node] : [];
  });
  return { ...page, nodes, malformed };
}

/** The places of one issue on its boards. */
export function readItems<T extends ItemPartsFragment>(nodes: readonly (T | null)[] | null): readonly T[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.filter((node) => node !== null && problemOf(node) === undefined) as T[];
}

function problemOf(node: ItemPartsFragment & { readonly content?: unknown }): string | undefined {
  const read = decode(itemAnswer, node, 'item');
  if (!read.ok) return read.fault.message;
  const { content = null } = node;
  if (content === null) return undefined;
  const { __typename: type, id } = content as Partial<IssueHead>;
  if (typeof content !== 'object' || typeof type !== 'string')
    return 'item.content: is no issue, draft or pull request';
  return type === 'Issue' && (typeof id !== 'string' || id === '')
    ? 'item.content.id: is no id of an issue'
    : undefined;
}
