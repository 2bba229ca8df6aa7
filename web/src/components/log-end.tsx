/** Shows the end of a log as printed: monospaced, wrapped, scrolled to the last line. */
import { useLayoutEffect, useRef } from 'react';
import { toPlainText } from '../text/plain.ts';
import '../styles/log-end.css';

export function LogEnd({ name, text }: { readonly name: string; readonly text: string }) {
  const frame = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new text needs another scroll to its end.
  useLayoutEffect(() => {
    if (frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard.
    <section ref={frame} className="log-end" aria-label={name} tabIndex={0}>
      <pre>{toPlainText(text)}</pre>
    </section>
  );
}
