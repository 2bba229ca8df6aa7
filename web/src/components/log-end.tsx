/** The end of a log as it was printed: monospaced, wrapped, scrolled to its last line. */
import { useLayoutEffect, useRef } from 'react';
import { plain } from '../text/plain.ts';
import '../styles/log-end.css';

export function LogEnd({ name, text }: { readonly name: string; readonly text: string }) {
  const frame = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other text has another end.
  useLayoutEffect(() => {
    if (frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight;
  }, [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section ref={frame} className="log-end" aria-label={name} tabIndex={0}>
      <pre>{plain(text)}</pre>
    </section>
  );
}
