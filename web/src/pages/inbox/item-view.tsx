/** One item that needs a person: its subject, its age, and the controls to settle it. */
import { useId } from 'react';
import { Link } from 'wouter';
import type { InboxItem } from '../../../../src/protocol/operator.ts';
import { CommandText } from '../../components/command-text.tsx';
import { LogEnd } from '../../components/log-end.tsx';
import { Time } from '../../components/time.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { toPlainText } from '../../text/plain.ts';
import { toIssuePath } from '../board/issue-path.ts';
import { toItemKey } from './groups.ts';
import { ApprovalPart } from './parts/approval-part.tsx';
import { CommandsPart } from './parts/commands-part.tsx';
import { PausedPart } from './parts/paused-part.tsx';
import { WorkerPart } from './parts/worker-part.tsx';
import { AnswerPart, ClarificationPart, MessagePart, type WrittenItemProps } from './parts/write-parts.tsx';
import { extractQuestion, isAnswerable } from './question.ts';

interface ItemViewProps extends WrittenItemProps {
  /** Whether the item's details are expanded initially. */
  readonly isOpen: boolean;
}

export function ItemView(props: ItemViewProps) {
  const { item, isOver } = props;
  const { issue, title, since, next, mode } = item;
  const id = useId();
  const text = extractQuestion(item);
  return (
    <article
      className={isOver ? 'inbox-item is-over' : 'inbox-item'}
      data-item={toItemKey(item)}
      aria-labelledby={id}
    >
      <header className="inbox-item-head">
        {issue !== null && <span className="inbox-issue">{issue}</span>}
        {issue === null ? (
          <h3 id={id} data-title tabIndex={-1} dir="auto">
            {toPlainText(title)}
          </h3>
        ) : (
          <h3>
            <Link id={id} to={toIssuePath(issue)} data-title dir="auto">
              {toPlainText(title)}
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
          {item.kind === 'question' ? (
            <Markdown text={text} under={3} />
          ) : (
            <p dir="auto">{toPlainText(text)}</p>
          )}
        </div>
      )}
      {issue !== null && item.ci !== undefined && <RedCi issue={issue} of={item.ci} />}
      <ItemPart {...props} />
      {!isOver && <NextStep next={next} />}
    </article>
  );
}

/** Renders the controls that settle the item, depending on its kind. */
function ItemPart(props: ItemViewProps) {
  const { item, isOpen } = props;
  const { issue } = item;
  switch (item.kind) {
    case 'commands':
      return <CommandsPart item={item} />;
    case 'paused':
      return <PausedPart issue={issue} isOpen={isOpen} />;
    case 'budget':
      // No control can settle this item. It disappears at midnight or when legion.yaml changes.
      return null;
    case 'message':
      return <MessagePart {...props} />;
    case 'problem':
      return null;
    case 'worker':
      return <WorkerPart item={item} />;
    case 'question':
      return issue === null ? null : <AnswerPart {...props} issue={issue} />;
    case 'approval':
      return issue === null ? null : <ApprovalPart issue={issue} approves={item.approves} isOpen={isOpen} />;
    case 'clarification':
      return issue === null ? null : <ClarificationPart {...props} issue={issue} />;
    case 'escalation':
      if (issue === null) return null;
      return isAnswerable(item) ? <AnswerPart {...props} issue={issue} /> : <StuckPart issue={issue} />;
  }
}

/**
 * Shown for an issue that cannot be unblocked by an answer. Links to its page, which shows the
 * reasons.
 */
function StuckPart({ issue }: { readonly issue: string }) {
  return (
    <div className="inbox-actions">
      <Link className="button button-main" to={toIssuePath(issue)}>
        Show the reasons
      </Link>
    </div>
  );
}

function RedCi({ issue, of }: { readonly issue: string; readonly of: NonNullable<InboxItem['ci']> }) {
  const check = toPlainText(of.check);
  return (
    <div className="inbox-log">
      <p className="faint">
        CI fails at commit <code title={of.sha}>{of.sha.slice(0, 10)}</code>. End of the log of {check}:{' '}
        <Link to={`${toIssuePath(issue)}?tab=ci`}>Show all checks</Link>
      </p>
      <LogEnd name={`End of the log of ${check}`} text={of.log} />
    </div>
  );
}

/** Shows the next step: a command to type, or a sentence that says what to change. */
function NextStep({ next }: { readonly next: string }) {
  return (
    <p className="inbox-next faint">
      {next.startsWith('legion ') ? (
        <>
          In a terminal: <code>{toPlainText(next)}</code>
        </>
      ) : (
        <CommandText text={next} />
      )}
    </p>
  );
}
