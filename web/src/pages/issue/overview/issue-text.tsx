/** The issue's description. A long text is collapsed at first, so that the status stays visible. */
import { useEffect, useRef, useState } from 'react';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import { Button } from '../../../components/button.tsx';
import { SkeletonLines } from '../../../components/states.tsx';
import { Time } from '../../../components/time.tsx';
import { AsWritten, Markdown } from '../../../markdown/markdown.tsx';
import { toPlainText } from '../../../text/plain.ts';

export function IssueText({ detail }: { readonly detail: IssueDetail | undefined }) {
  const [isSource, setIsSource] = useState(false);
  if (detail === undefined) return <SkeletonLines count={5} />;
  const { body, createdAt, writtenBy } = detail.issue;
  const isEmpty = body.trim() === '';
  return (
    <section className="panel issue-text" aria-label="Description">
      <div className="issue-text-head faint">
        <span>
          Written <Time at={createdAt} suffix=" ago" />
          {writtenBy !== undefined && ` by ${toPlainText(writtenBy.name)}`}
        </span>
        {!isEmpty && (
          <Button
            variant="quiet"
            className="issue-text-source"
            aria-pressed={isSource}
            title="Also shows what Markdown hides, such as references and image addresses"
            onClick={() => setIsSource(!isSource)}
          >
            As written
          </Button>
        )}
      </div>
      {isEmpty ? (
        <p className="faint">This issue has no description.</p>
      ) : (
        <Clamped>{isSource ? <AsWritten text={body} /> : <Markdown text={body} under={1} />}</Clamped>
      )}
    </section>
  );
}

function Clamped({ children }: { readonly children: React.ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const outer = frame.current;
    const inner = outer?.firstElementChild;
    if (outer === null || !inner) return;
    const measure = () => setIsLong(inner.scrollHeight > outer.clientHeight + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a hidden link focused by keyboard must become visible. */}
      <div
        ref={frame}
        className={`clamp ${isOpen ? 'is-open' : ''} ${isLong ? 'is-long' : ''}`}
        onFocus={() => setIsOpen(true)}
      >
        <div>{children}</div>
      </div>
      {(isLong || isOpen) && (
        <Button
          variant="quiet"
          className="clamp-toggle"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show the whole text'}
        </Button>
      )}
    </>
  );
}
