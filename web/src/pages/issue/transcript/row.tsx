/** One item of a transcript. */
import { Fragment, memo, type ReactNode } from 'react';
import { formatCount } from '../../../../../src/core/model/format.ts';
import { formatMoney } from '../../../components/money.tsx';
import type { ToolCall, ToolOutcome, TranscriptItem, TurnUsage } from './item.ts';

interface RowProps {
  readonly item: TranscriptItem;
  /** Search text in lower case. Empty if there is no search. */
  readonly wanted: string;
  /** Whether this is the current search hit. */
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  onToggle(number: number): void;
}

export const TranscriptRow = memo(function TranscriptRow({
  item,
  wanted,
  isCurrent,
  isOpen,
  onToggle,
}: RowProps) {
  const mark = (text: string) => renderMarked(text, wanted);
  return (
    <div className={`line line-${item.kind} ${isCurrent ? 'is-current' : ''}`}>
      <RowContent item={item} mark={mark} isOpen={isOpen} onToggle={onToggle} />
    </div>
  );
});

interface RowContentProps extends Pick<RowProps, 'item' | 'isOpen' | 'onToggle'> {
  mark(text: string): ReactNode;
}

function RowContent({ item, mark, isOpen, onToggle }: RowContentProps) {
  switch (item.kind) {
    case 'said':
      return <p className={item.goesOn ? 'goes-on' : undefined}>{mark(item.text)}</p>;
    case 'tool':
      return <CallRow call={item} mark={mark} isOpen={isOpen} onToggle={() => onToggle(item.number)} />;
    case 'question':
      return (
        <>
          <strong className="line-label">Asks</strong>
          <p>{mark(item.text)}</p>
        </>
      );
    case 'note':
      return <p className={item.isWarning ? 'is-warning' : undefined}>{mark(item.text)}</p>;
    case 'turn':
      return (
        <p>
          <span>{item.isCutShort ? 'Turn cut short' : 'Turn ended'}</span> {describeUsage(item.used)}
        </p>
      );
    case 'error':
      return (
        <p>
          <strong className="line-label">Error</strong> {mark(item.text)}{' '}
          <code className="faint">{mark(item.code)}</code>
        </p>
      );
    case 'raw':
      return <pre>{mark(item.text)}</pre>;
  }
}

function describeUsage({ in: tokensIn, out, usd }: TurnUsage): string {
  if (tokensIn === 0 && out === 0) return '';
  const cost = usd === 0 ? '' : ` · ${formatMoney(usd)}`;
  return `${tokensIn.toLocaleString('en')} tokens in · ${out.toLocaleString('en')} out${cost}`;
}

/** Maximum number of highlighted hits per row. More would slow down rendering and add nothing. */
const MAX_MARKS = 200;

function renderMarked(text: string, wanted: string): ReactNode {
  if (wanted === '') return text;
  const lower = text.toLowerCase();
  // Lowercasing has changed the length of some characters, so the positions of the hits would be
  // wrong. Highlights nothing.
  if (lower.length !== text.length) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (
    let at = lower.indexOf(wanted);
    at !== -1 && parts.length < MAX_MARKS;
    at = lower.indexOf(wanted, from)
  ) {
    parts.push(
      <Fragment key={`t${from}`}>{text.slice(from, at)}</Fragment>,
      <mark key={`m${at}`}>{text.slice(at, at + wanted.length)}</mark>,
    );
    from = at + wanted.length;
  }
  return [...parts, <Fragment key="rest">{text.slice(from)}</Fragment>];
}

interface CallRowProps {
  readonly call: ToolCall;
  readonly isOpen: boolean;
  mark(text: string): ReactNode;
  onToggle(): void;
}

/** A tool call in a transcript. Its result is collapsed by default. */
function CallRow({ call, isOpen, mark, onToggle }: CallRowProps) {
  const { tool, detail, outcome, result } = call;
  const { sign, label, tone } = OUTCOMES[outcome];
  return (
    <>
      <button type="button" className="line-call" aria-expanded={isOpen} onClick={onToggle}>
        <span className={`line-outcome tone-${tone}`} aria-hidden="true">
          {sign}
        </span>
        <strong>{mark(tool)}</strong> <code className={isOpen ? 'is-open' : undefined}>{mark(detail)}</code>{' '}
        <span className={outcome === 'done' ? 'unseen' : `line-word tone-${tone}`}>{label}</span>{' '}
        {result !== '' && <span className="line-size">{formatCount(result.split('\n').length, 'line')}</span>}
      </button>
      {isOpen && result !== '' && <pre className="line-result">{mark(result)}</pre>}
    </>
  );
}

const OUTCOMES: Readonly<Record<ToolOutcome, { sign: string; label: string; tone: string }>> = {
  running: { sign: '▸', label: 'running', tone: 'work' },
  done: { sign: '✓', label: 'done', tone: 'good' },
  failed: { sign: '✗', label: 'failed', tone: 'bad' },
};
