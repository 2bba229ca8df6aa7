/** One thing that waits for a person: what it is about, for how long, and the means to settle it. */
import { useId } from 'react';
import { Link } from 'wouter';
import type { InboxItem } from '../../../../src/protocol/operator.ts';
import { CommandText } from '../../components/command-text.tsx';
import { LogEnd } from '../../components/log-end.tsx';
import { Time } from '../../components/time.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { plain } from '../../text/plain.ts';
import { issuePath } from '../board/issue-path.ts';
import { keyOf } from './groups.ts';
import { ItemPart } from './parts/item-part.tsx';
import { questionIn } from './question.ts';

export interface ItemViewProps {
  readonly item: InboxItem;
  /** What belongs to it is unfolded from the beginning. */
  readonly isOpen: boolean;
  /** It was settled elsewhere while somebody wrote to it. */
  readonly isOver: boolean;
  onDiscard(): void;
}

export function ItemView(props: ItemViewProps) {
  const { item, isOver } = props;
  const { issue, title, since, next, mode } = item;
  const id = useId();
  const text = questionIn(item);
  return (
    <article
      className={isOver ? 'inbox-item is-over' : 'inbox-item'}
      data-item={keyOf(item)}
      aria-labelledby={id}
    >
      <header className="inbox-item-head">
        {issue !== null && <span className="inbox-issue">{issue}</span>}
        {issue === null ? (
          <h3 id={id} data-title tabIndex={-1} dir="auto">
            {plain(title)}
          </h3>
        ) : (
          <h3>
            <Link id={id} to={issuePath(issue)} data-title dir="auto">
              {plain(title)}
            </Link>
          </h3>
        )}
        <span className="inbox-since faint">
          <Time at={since} suffix=" ago" />
        </span>
      </header>
      {item.kind !== 'commands' && (
        <div className={item.kind === 'question' ? 'inbox-text is-speech' : 'inbox-text'}>
          {mode !== undefined && <p className="inbox-who">The {mode} worker asks</p>}
          {item.kind === 'question' ? <Markdown text={text} under={3} /> : <p dir="auto">{plain(text)}</p>}
        </div>
      )}
      {issue !== null && item.ci !== undefined && <RedCi issue={issue} of={item.ci} />}
      <ItemPart {...props} />
      {!isOver && <NextStep next={next} />}
    </article>
  );
}

function RedCi({ issue, of }: { readonly issue: string; readonly of: NonNullable<InboxItem['ci']> }) {
  const check = plain(of.check);
  return (
    <div className="inbox-log">
      <p className="faint">
        CI fails at commit <code title={of.sha}>{of.sha.slice(0, 10)}</code>. The end of the log of {check}:{' '}
        <Link to={`${issuePath(issue)}?tab=ci`}>Show all checks</Link>
      </p>
      <LogEnd name={`End of the log of ${check}`} text={of.log} />
    </div>
  );
}

/** A command to type, or a sentence that says what to change. */
function NextStep({ next }: { readonly next: string }) {
  return (
    <p className="inbox-next faint">
      {next.startsWith('legion ') ? (
        <>
          In a terminal: <code>{plain(next)}</code>
        </>
      ) : (
        <CommandText text={next} />
      )}
    </p>
  );
}
