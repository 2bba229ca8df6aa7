/** One item of a transcript. */
import { Fragment, memo, type ReactNode } from 'react';
import { counted } from '../../../../../src/domain/format.ts';
import { money } from '../../../components/money.tsx';
import type { Item, Outcome, ToolCall, Used } from './item.ts';

interface RowProps {
  readonly item: Item;
  /** In lower case; empty where nobody searches. */
  readonly wanted: string;
  /** The one the search has come to. */
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
  const mark = (text: string) => marked(text, wanted);
  return (
    <div className={`line line-${item.kind} ${isCurrent ? 'is-current' : ''}`}>
      <Inside item={item} mark={mark} isOpen={isOpen} onToggle={onToggle} />
    </div>
  );
});

interface InsideProps extends Pick<RowProps, 'item' | 'isOpen' | 'onToggle'> {
  mark(text: string): ReactNode;
}

function Inside({ item, mark, isOpen, onToggle }: InsideProps) {
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
          <span>{item.isCutShort ? 'Turn cut short' : 'Turn ended'}</span> {usedIn(item.used)}
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

function usedIn({ in: taken, out, usd }: Used): string {
  if (taken === 0 && out === 0) return '';
  const cost = usd === 0 ? '' : ` · ${money(usd)}`;
  return `${taken.toLocaleString('en')} tokens in · ${out.toLocaleString('en')} out${cost}`;
}

/** More marks in one row would help nobody and slow down drawing. */
const MARKS_MOST = 200;

function marked(text: string, wanted: string): ReactNode {
  if (wanted === '') return text;
  const lower = text.toLowerCase();
  // Some letters change their length with their case; then the places would be wrong.
  if (lower.length !== text.length) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (
    let at = lower.indexOf(wanted);
    at !== -1 && parts.length < MARKS_MOST;
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

/** A call of a tool in a transcript; what it gave back is folded until somebody asks for it. */
function CallRow({ call, isOpen, mark, onToggle }: CallRowProps) {
  const { tool, detail, outcome, result } = call;
  const { sign, says, tone } = OUTCOMES[outcome];
  return (
    <>
      <button type="button" className="line-call" aria-expanded={isOpen} onClick={onToggle}>
        <span className={`line-outcome tone-${tone}`} aria-hidden="true">
          {sign}
        </span>
        <strong>{mark(tool)}</strong> <code className={isOpen ? 'is-open' : undefined}>{mark(detail)}</code>{' '}
        <span className={outcome === 'done' ? 'unseen' : `line-word tone-${tone}`}>{says}</span>{' '}
        {result !== '' && <span className="line-size">{counted(result.split('\n').length, 'line')}</span>}
      </button>
      {isOpen && result !== '' && <pre className="line-result">{mark(result)}</pre>}
    </>
  );
}

const OUTCOMES: Readonly<Record<Outcome, { sign: string; says: string; tone: string }>> = {
  running: { sign: '▸', says: 'running', tone: 'work' },
  done: { sign: '✓', says: 'done', tone: 'good' },
  failed: { sign: '✗', says: 'failed', tone: 'bad' },
};
