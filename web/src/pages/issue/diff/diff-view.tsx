/** A diff with its file tree. All lines form one long list. */
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { formatCount } from '../../../../../src/core/model/format.ts';
import type { IssueDiff } from '../../../../../src/protocol/repository.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { VirtualList, type VirtualListHandle } from '../../../components/virtual-list.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { toPlainText } from '../../../text/plain.ts';
import { buildDiffRows, type DiffFile, type DiffRow, selectInitiallyFolded } from './rows.ts';
import { buildTree, type DiffFolder } from './tree.ts';

/** Heights of a file header and of a line, in pixels. */
const FILE_PX = 37;
const LINE_PX = 19;
const SHA_CHARS = 10;

export function DiffView({ diff }: { readonly diff: IssueDiff }) {
  const { files, says, base, head, truncated } = diff;
  const [folded, setFolded] = useState(() => selectInitiallyFolded(files));
  const rows = useMemo(() => buildDiffRows(files, folded), [files, folded]);
  const tree = useMemo(() => buildTree(files), [files]);
  const list = useRef<VirtualListHandle>(null);
  const at = useRef(-1);
  const fold = useCallback((path: string) => setFolded((before) => togglePath(before, path)), []);

  const show = (index: number) => {
    const file = files[index];
    if (file === undefined) return;
    at.current = index;
    list.current?.show(
      rows.findIndex((row) => row.kind === 'file' && row.file.path === file.path),
      'start',
    );
  };
  const step = (by: 1 | -1) => show(Math.max(0, Math.min(files.length - 1, at.current + by)));
  const isAllFolded = folded.size === files.length;
  const foldAll = () => setFolded(isAllFolded ? new Set() : new Set(files.map(({ path }) => path)));
  useShortcut({ keys: 'j', label: 'Next file', group: 'Diff', run: () => step(1) });
  useShortcut({ keys: 'k', label: 'Previous file', group: 'Diff', run: () => step(-1) });
  useShortcut({
    keys: 'o',
    label: 'Fold or unfold this file',
    group: 'Diff',
    run: () => fold(files[Math.max(0, at.current)]?.path ?? ''),
  });
  useShortcut({ keys: 'O', label: 'Fold or unfold all files', group: 'Diff', run: foldAll });

  return (
    <div className="diff">
      <div className="diff-head">
        <strong className="number-text">{formatCount(files.length, 'file')}</strong>
        <Changed
          additions={sum(files.map(({ additions }) => additions))}
          deletions={sum(files.map(({ deletions }) => deletions))}
        />
        <span className="diff-says faint">
          {toPlainText(says)}{' '}
          {base !== '' && (
            <code title={`${base} … ${head}`}>
              {base.slice(0, SHA_CHARS)}…{head === '' ? 'workspace' : head.slice(0, SHA_CHARS)}
            </code>
          )}
        </span>
        <Button onClick={foldAll}>{isAllFolded ? 'Unfold all' : 'Fold all'}</Button>
      </div>
      {truncated && (
        <p className="diff-truncated tone-warn" role="note">
          The diff is truncated: files or lines beyond the limit are not shown. Run `git diff` in the
          workspace to see everything.
        </p>
      )}
      <nav className="diff-tree" aria-label="Changed files">
        <FileTree of={tree} onChoose={(file) => show(files.indexOf(file))} />
      </nav>
      <VirtualList
        ref={list}
        items={rows}
        keyOf={getRowKey}
        estimate={getEstimatedRowHeight}
        of="lines"
        name="Changes"
        className="diff-rows"
      >
        {(row) => (
          <DiffRowView row={row} isFolded={row.kind === 'file' && folded.has(row.file.path)} onFold={fold} />
        )}
      </VirtualList>
    </div>
  );
}

function togglePath(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(path)) after.add(path);
  return after;
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}

function getRowKey({ key }: DiffRow): string {
  return key;
}

function getEstimatedRowHeight({ kind }: DiffRow): number {
  return kind === 'file' ? FILE_PX : LINE_PX;
}

/** The changed files as a tree. Selecting one scrolls to it. */
function FileTree({ of, onChoose }: { readonly of: DiffFolder; onChoose(file: DiffFile): void }) {
  return (
    <ul className="tree">
      {of.folders.map((folder) => (
        <li key={folder.name}>
          <span className="tree-folder">{toPlainText(folder.name)}</span>
          <FileTree of={folder} onChoose={onChoose} />
        </li>
      ))}
      {of.files.map((file) => (
        <li key={file.path}>
          <button
            type="button"
            className="tree-file"
            title={toPlainText(file.path)}
            onClick={() => onChoose(file)}
          >
            <span className={`tree-name change-${file.change}`}>
              {toPlainText(file.path.split('/').at(-1) ?? '')}
            </span>
            <Changed additions={file.additions} deletions={file.deletions} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** One row of a diff. */
interface DiffRowProps {
  readonly row: DiffRow;
  readonly isFolded: boolean;
  onFold(path: string): void;
}

const DiffRowView = memo(function DiffRowView({ row, isFolded, onFold }: DiffRowProps) {
  switch (row.kind) {
    case 'file':
      return <FileHead file={row.file} isFolded={isFolded} onFold={onFold} />;
    case 'hunk':
      return <div className="diff-hunk">{row.text === '' ? '⋯' : `⋯ ${row.text}`}</div>;
    case 'note':
      return <div className="diff-note">{row.text}</div>;
    case 'line':
      return (
        <div className={`diff-line ${SIDES[row.sign].className}`}>
          <span className="diff-number">{row.before}</span>
          <span className="diff-number">{row.after}</span>
          <span className="diff-sign">{row.sign}</span>
          <code>{row.text}</code>
        </div>
      );
  }
});

const SIDES = {
  '+': { className: 'is-added' },
  '-': { className: 'is-removed' },
  ' ': { className: '' },
} as const;

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
        {from !== undefined && <span className="faint">{toPlainText(from)} → </span>}
        <bdi>{toPlainText(path)}</bdi>
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

/** Number of added and removed lines. */
interface ChangedProps {
  /** Null for a binary file. */
  readonly additions: number | null;
  readonly deletions: number | null;
}

function Changed({ additions, deletions }: ChangedProps) {
  if (additions === null || deletions === null) return <span className="faint">binary</span>;
  return (
    <span className="changed number">
      {additions > 0 && <span className="tone-good">+{additions}</span>}
      {deletions > 0 && <span className="tone-bad">−{deletions}</span>}
    </span>
  );
}
