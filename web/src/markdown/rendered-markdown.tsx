/** Renders Markdown as elements; a chunk of its own, loaded with the first text. Nothing in a text becomes markup, an address or a style by itself. */
import { astToJSX, type MarkdownToJSX, parser, RuleType } from 'markdown-to-jsx/react';
import { createElement, Fragment, type Key, memo, type ReactNode } from 'react';
import { plain } from '../text/plain.ts';
import type { MarkdownProps } from './markdown.tsx';

export const RenderedMarkdown = memo(function RenderedMarkdown({ text, under }: MarkdownProps) {
  const nodes = parser(plain(text), OPTIONS);
  orderHeadings(nodes, under);
  return astToJSX(nodes, OPTIONS);
});

const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  // Else the first lines of a text that begins with a rule would be left out.
  disableFrontmatter: true,
  forceBlock: true,
  wrapper: Fragment,
  sanitizer: safeAddress,
  createElement: renderElement,
  renderRule: renderNode,
};

function renderNode(
  next: () => ReactNode,
  node: MarkdownToJSX.ASTNode,
  renderChildren: MarkdownToJSX.ASTRender,
  state: MarkdownToJSX.State,
): ReactNode {
  switch (node.type) {
    case RuleType.text:
      // After parsing, because `&#8238;` becomes a mark that turns the writing round only then.
      return plain(node.text);
    case RuleType.image:
      // No picture is loaded: it would tell its server who reads this, and the content policy refuses it.
      return state.inAnchor === true ? (
        imageText(node.alt)
      ) : (
        <SafeLink key={state.key} href={node.target}>
          {imageText(node.alt)}
        </SafeLink>
      );
    case RuleType.link:
      return (
        <SafeLink key={state.key} href={node.target}>
          {renderChildren(node.children, { ...state, inAnchor: true })}
        </SafeLink>
      );
    case RuleType.gfmTask:
      return (
        <span key={state.key} role="img" aria-label={node.completed ? 'Done: ' : 'To do: '}>
          {node.completed ? '☑' : '☐'}
        </span>
      );
    default:
      return next();
  }
}

function imageText(alt: string | undefined): string {
  const words = plain(alt ?? '').trim();
  return words === '' ? 'Image' : `Image: ${words}`;
}

function SafeLink({ href, children }: { readonly href: string | null; readonly children: ReactNode }) {
  if (href === null) return <span>{children}</span>;
  // The title shows where it leads, whatever its text says.
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** The content of every other element is shown without it. */
const TAGS: ReadonlySet<string> = new Set(
  'p br hr blockquote pre code sup h2 h3 h4 h5 h6 ul ol li em strong del mark div table thead tbody tr th td'.split(
    ' ',
  ),
);

interface ElementProps {
  readonly key?: Key | null | undefined;
  readonly start?: number;
  readonly style?: { readonly textAlign?: string };
}

/** Every element but links passes here, without ids, styles and whatever else the parser gives it. */
function renderElement(tag: unknown, props: ElementProps | null, ...children: ReactNode[]): ReactNode {
  const key = props?.key;
  if (tag === Fragment) return createElement(Fragment, { key }, ...children);
  const name = typeof tag === 'string' && TAGS.has(tag) ? tag : 'span';
  const element = createElement(
    name,
    {
      key,
      start: name === 'ol' ? props?.start : undefined,
      className: name === 'th' || name === 'td' ? alignClass(props) : undefined,
    },
    ...children,
  );
  if (name !== 'table') return element;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has only a keyboard scrolls it too.
    <div key={key} className="markdown-table" tabIndex={0}>
      {element}
    </div>
  );
}

function alignClass(props: ElementProps | null): string | undefined {
  const align = props?.style?.textAlign;
  return align === 'right' || align === 'center' ? `is-${align}` : undefined;
}

type Node = MarkdownToJSX.ASTNode;

const MAX_HEADING_LEVEL = 6;

/** Changes the levels in `nodes`; `under` is the level of the heading above them. */
function orderHeadings(nodes: readonly Node[], under: number): void {
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

const PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:'];

/** Null for everything else, also for addresses relative to this page, which would act inside of the dashboard. */
function safeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return PROTOCOLS.includes(protocol) ? href : null;
}
