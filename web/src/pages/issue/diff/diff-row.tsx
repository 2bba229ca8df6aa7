/** One row of a diff. */
import { memo } from 'react';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Icon } from '../../../components/icon.tsx';
import { plain } from '../../../text/plain.ts';
import { Changed } from './changed.tsx';
import type { DiffFile, DiffRow } from './rows.ts';

interface DiffRowProps {
  readonly row: DiffRow;
  readonly isFolded: boolean;
  onFold(path: string): void;
}

export const DiffRowView = memo(function DiffRowView({ row, isFolded, onFold }: DiffRowProps) {
  switch (row.kind) {
    case 'file':
      return <FileHead file={row.file} isFolded={isFolded} onFold={onFold} />;
    case 'hunk':
      return <div className="diff-hunk">{row.text === '' ? '⋯' : `⋯ ${row.text}`}</div>;
    case 'note':
      return <div className="diff-note">{row.text}</div>;
    case 'line':
      return (
        <div className={`diff-line ${SIDES[row.sign].look}`}>
          <span className="diff-number">{row.before}</span>
          <span className="diff-number">{row.after}</span>
          <span className="diff-sign">{row.sign}</span>
          <code>{row.text}</code>
        </div>
      );
  }
});

const SIDES = { '+': { look: 'is-added' }, '-': { look: 'is-removed' }, ' ': { look: '' } } as const;

interface FileHeadProps {
  readonly file: DiffFile;
  readonly isFolded: boolean;
  onFold(path: string): void;
}

function FileHead({ file, isFolded, onFold }: FileHeadProps) {
  const { path, from, change, additions, deletions, cut } = file;
  return (
    <button
      type="button"
      className="diff-file"
      aria-expanded={!isFolded}
      data-file={path}
      onClick={() => onFold(path)}
    >
      <Icon name={isFolded ? 'forward' : 'down'} size={14} />
      <span className="diff-path">
        {from !== undefined && <span className="faint">{plain(from)} → </span>}
        <bdi>{plain(path)}</bdi>
      </span>
      {change !== 'changed' && <Badge tone={TONES[change]}>{change}</Badge>}
      {cut && <Badge tone="warn">cut</Badge>}
      <Changed additions={additions} deletions={deletions} />
    </button>
  );
}

const TONES: Readonly<Record<DiffFile['change'], Tone>> = {
  added: 'good',
  changed: 'neutral',
  deleted: 'bad',
  renamed: 'accent',
  retyped: 'warn',
  conflicted: 'bad',
};
