/**
 * Renders Markdown as React elements. Loaded as a separate chunk with the first text. No text can
 * inject markup, addresses or styles.
 */
import { astToJSX, type MarkdownToJSX, parser, RuleType } from 'markdown-to-jsx/react';
import { createElement, Fragment, type Key, memo, type ReactNode } from 'react';
import { toPlainText } from '../text/plain.ts';

export interface MarkdownProps {
  readonly text: string;
  /** Level of the heading above the text. The highest heading in the text is one level below it. */
  readonly under: 1 | 2 | 3;
}

export const RenderedMarkdown = memo(function RenderedMarkdown({ text, under }: MarkdownProps) {
  const nodes = parser(toPlainText(text), OPTIONS);
  normalizeHeadings(nodes, under);
  return astToJSX(nodes, OPTIONS);
});

const OPTIONS: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  // With frontmatter enabled, a text that begins with a horizontal rule would lose its first lines.
  disableFrontmatter: true,
  forceBlock: true,
  wrapper: Fragment,
  sanitizer: sanitizeAddress,
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
      // Sanitizes the text after parsing, because parsing turns `&#8238;` into a text-direction
      // override.
      return toPlainText(node.text);
    case RuleType.image:
      // Loads no images, because loading one would reveal the reader to the image's server. The
      // content policy blocks them as well.
      return state.inAnchor === true ? (
        describeImage(node.alt)
      ) : (
        <SafeLink key={state.key} href={node.target}>
          {describeImage(node.alt)}
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

function describeImage(alt: string | undefined): string {
  const text = toPlainText(alt ?? '').trim();
  return text === '' ? 'Image' : `Image: ${text}`;
}

function SafeLink({ href, children }: { readonly href: string | null; readonly children: ReactNode }) {
  if (href === null) return <span>{children}</span>;
  // The title shows the real target, whatever the link text says.
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** Elements that are kept. Any other element is dropped, and only its content is shown. */
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

/**
 * Creates every element except links, without the ids, styles and other attributes that the parser
 * adds.
 */
function renderElement(tag: unknown, props: ElementProps | null, ...children: ReactNode[]): ReactNode {
  const key = props?.key;
  if (tag === Fragment) return createElement(Fragment, { key }, ...children);
  const name = typeof tag === 'string' && TAGS.has(tag) ? tag : 'span';
  const element = createElement(
    name,
    {
      key,
      start: name === 'ol' ? props?.start : undefined,
      className: name === 'th' || name === 'td' ? getAlignClass(props) : undefined,
    },
    ...children,
  );
  if (name !== 'table') return element;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <div key={key} className="markdown-table" tabIndex={0}>
      {element}
    </div>
  );
}

function getAlignClass(props: ElementProps | null): string | undefined {
  const align = props?.style?.textAlign;
  return align === 'right' || align === 'center' ? `is-${align}` : undefined;
}

type MarkdownNode = MarkdownToJSX.ASTNode;

const MAX_HEADING_LEVEL = 6;

/** Changes the heading levels in `nodes`. `parentLevel` is the level of the heading above them. */
function normalizeHeadings(nodes: readonly MarkdownNode[], parentLevel: number): void {
  const headings = nodes.flatMap(listHeadings);
  const top = Math.min(...headings.map(({ level }) => level));
  let previous = parentLevel;
  for (const heading of headings) {
    const target = parentLevel + 1 + heading.level - top;
    previous = Math.min(target, previous + 1, MAX_HEADING_LEVEL);
    heading.level = previous as MarkdownToJSX.HeadingNode['level'];
  }
}

function listHeadings(node: MarkdownNode): readonly MarkdownToJSX.HeadingNode[] {
  if ('level' in node) return [node];
  if ('items' in node) return node.items.flat().flatMap(listHeadings);
  return 'children' in node ? (node.children ?? []).flatMap(listHeadings) : [];
}

const PROTOCOLS: readonly string[] = ['http:', 'https:', 'mailto:'];

/**
 * Accepts only absolute web and mail addresses. Returns null for every other address, including
 * addresses relative to this page, which would act inside the dashboard.
 */
function sanitizeAddress(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, href } = new URL(address);
  return PROTOCOLS.includes(protocol) ? href : null;
}
