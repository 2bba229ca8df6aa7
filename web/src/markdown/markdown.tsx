/**
 * Shows Markdown from people, agents or strangers. Shows plain text until the renderer has loaded,
 * or if the renderer fails.
 */
import { Component, lazy, type ReactNode, Suspense, useDeferredValue } from 'react';
import { toPlainText } from '../text/plain.ts';
import type { MarkdownProps } from './rendered-markdown.tsx';
import '../styles/markdown.css';

/**
 * Maximum length of rendered Markdown, in characters. Longer texts are shown as plain text, because
 * rendering a hostile text of this length already takes most of a second.
 */
const MAX_MARKDOWN_CHARS = 50_000;
/**
 * Maximum length of a text that is rendered at once, in characters. Longer texts are rendered in
 * the background, so that a page with many of them does not freeze.
 */
const MAX_IMMEDIATE_CHARS = 4_000;

// The renderer is requested together with the page, so that it is ready before the first text is
// shown.
const renderer = import('./rendered-markdown.tsx');
renderer.catch(() => undefined); // `MarkdownFallback` handles the failure

const Rendered = lazy(async () => ({ default: (await renderer).RenderedMarkdown }));

export function Markdown({ text, under }: MarkdownProps) {
  const ready = useDeferredValue(text, text.length > MAX_IMMEDIATE_CHARS ? null : text);
  const plainText = <AsWritten text={text} />;
  if (ready === null || ready.length > MAX_MARKDOWN_CHARS) return plainText;
  return (
    <MarkdownFallback to={plainText}>
      <Suspense fallback={plainText}>
        <div className="markdown" dir="auto">
          <Rendered text={ready} under={under} />
        </div>
      </Suspense>
    </MarkdownFallback>
  );
}

export function AsWritten({ text }: { readonly text: string }) {
  return (
    <div className="text" dir="auto">
      {toPlainText(text)}
    </div>
  );
}

interface FallbackProps {
  readonly to: ReactNode;
  readonly children: ReactNode;
}

/** Shows the plain text if the renderer cannot be loaded or fails on a text. */
class MarkdownFallback extends Component<FallbackProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.to : this.props.children;
  }
}
