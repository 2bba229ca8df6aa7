/** Gives the headings of a text levels that continue those of the page, without a gap. Pure. */
import type { MarkdownToJSX } from 'markdown-to-jsx/react';

type Node = MarkdownToJSX.ASTNode;

const MAX_HEADING_LEVEL = 6;

/** Changes the levels in `nodes`; `under` is the level of the heading above them. */
export function orderHeadings(nodes: readonly Node[], under: number): void {
  const headings = nodes.flatMap(headingsIn);
  const top = Math.min(...headings.map(({ level }) => level));
  let previous = under;
  for (const heading of headings) {
    const wanted = under + 1 + heading.level - top;
    previous = Math.min(wanted, previous + 1, MAX_HEADING_LEVEL);
    heading.level = previous as MarkdownToJSX.HeadingNode['level'];
  }
}

function headingsIn(node: Node): readonly MarkdownToJSX.HeadingNode[] {
  if ('level' in node) return [node];
  if ('items' in node) return node.items.flat().flatMap(headingsIn);
  return 'children' in node ? (node.children ?? []).flatMap(headingsIn) : [];
}
