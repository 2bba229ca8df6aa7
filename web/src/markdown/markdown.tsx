/** Text written in Markdown by people, agents or strangers; shown as written until the renderer is there, and where it fails. */
import { Component, lazy, type ReactNode, Suspense, useDeferredValue } from 'react';
import { plain } from '../text/plain.ts';
import '../styles/markdown.css';

/** Characters; a longer text is shown as written, because a hostile one of this length already takes most of a second. */
const MAX_MARKDOWN_CHARS = 50_000;
/** Characters; a longer text is rendered in the background, so that many of them never freeze the page. */
const MAX_IMMEDIATE_CHARS = 4_000;

// Asked for together with the page, so that it is there before the first text is.
const renderer = import('./rendered-markdown.tsx');
renderer.catch(() => undefined); // `Fallback` shows what then happens

const Rendered = lazy(async () => ({ default: (await renderer).RenderedMarkdown }));

export interface MarkdownProps {
  readonly text: string;
  /** The level of the heading above it; its own headings go below that. */
  readonly under: 1 | 2 | 3;
}

export function Markdown({ text, under }: MarkdownProps) {
  const ready = useDeferredValue(text, text.length > MAX_IMMEDIATE_CHARS ? null : text);
  const asWritten = <AsWritten text={text} />;
  if (ready === null || ready.length > MAX_MARKDOWN_CHARS) return asWritten;
  return (
    <Fallback to={asWritten}>
      <Suspense fallback={asWritten}>
        <div className="markdown" dir="auto">
          <Rendered text={ready} under={under} />
        </div>
      </Suspense>
    </Fallback>
  );
}

export function AsWritten({ text }: { readonly text: string }) {
  return (
    <div className="text" dir="auto">
      {plain(text)}
    </div>
  );
}

interface FallbackProps {
  readonly to: ReactNode;
  readonly children: ReactNode;
}

/** A renderer that cannot be loaded, or that fails on a text, must not take the page with it. */
class Fallback extends Component<FallbackProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.to : this.props.children;
  }
}
