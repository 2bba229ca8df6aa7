/** What the issue asks for, as its author formatted it; a long text opens on demand, so that its status stays in sight. */
import { useEffect, useRef, useState } from 'react';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import { Button } from '../../../components/button.tsx';
import { SkeletonLines } from '../../../components/states.tsx';
import { Time } from '../../../components/time.tsx';
import { AsWritten, Markdown } from '../../../markdown/markdown.tsx';
import { plain } from '../../../text/plain.ts';

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
          {writtenBy !== undefined && ` by ${plain(writtenBy.name)}`}
        </span>
        {!isEmpty && (
          <Button
            look="quiet"
            className="issue-text-source"
            aria-pressed={isSource}
            title="Also shows what Markdown hides, such as references and the addresses of pictures"
            onClick={() => setIsSource(!isSource)}
          >
            As written
          </Button>
        )}
      </div>
      {isEmpty ? (
        <p className="faint">It has no description.</p>
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: whoever reaches a link in the hidden part by keyboard has to see it. */}
      <div
        ref={frame}
        className={`clamp ${isOpen ? 'is-open' : ''} ${isLong ? 'is-long' : ''}`}
        onFocus={() => setIsOpen(true)}
      >
        <div>{children}</div>
      </div>
      {(isLong || isOpen) && (
        <Button
          look="quiet"
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
