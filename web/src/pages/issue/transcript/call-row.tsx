/** A call of a tool in a transcript; what it gave back is folded until somebody asks for it. */
import type { ReactNode } from 'react';
import { counted } from '../../../text/counted.ts';
import type { Outcome, ToolCall } from './item.ts';

interface CallRowProps {
  readonly call: ToolCall;
  readonly isOpen: boolean;
  mark(text: string): ReactNode;
  onToggle(): void;
}

export function CallRow({ call, isOpen, mark, onToggle }: CallRowProps) {
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
        {result !== '' && <span className="line-size">{sizeOf(result)}</span>}
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

function sizeOf(result: string): string {
  return counted(result.split('\n').length, 'line');
}
