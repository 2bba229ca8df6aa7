/** A diff with its tree of files; all its lines are one long list. */
import { memo, useCallback, useMemo, useRef, useState } from 'react';
import { counted } from '../../../../../src/domain/format.ts';
import type { Diff } from '../../../../../src/protocol/dashboard.ts';
import { Badge, type Tone } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { VirtualList, type VirtualListHandle } from '../../../components/virtual-list.tsx';
import { useShortcut } from '../../../keys/shortcuts.tsx';
import { plain } from '../../../text/plain.ts';
import type { DiffFile } from './rows.ts';
import { type DiffRow, diffRows, foldedAtFirst } from './rows.ts';
import type { Folder } from './tree.ts';
import { treeOf } from './tree.ts';

/** Heights of a file's name and of a line, in pixels. */
const FILE_PX = 37;
const LINE_PX = 19;
const SHA_CHARS = 10;

export function DiffView({ diff }: { readonly diff: Diff }) {
  const { files, says, base, head, truncated } = diff;
  const [folded, setFolded] = useState(() => foldedAtFirst(files));
  const rows = useMemo(() => diffRows(files, folded), [files, folded]);
  const tree = useMemo(() => treeOf(files), [files]);
  const list = useRef<VirtualListHandle>(null);
  const at = useRef(-1);
  const fold = useCallback((path: string) => setFolded((before) => toggled(before, path)), []);

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
  useShortcut({ keys: 'j', says: 'Next file', group: 'Diff', run: () => step(1) });
  useShortcut({ keys: 'k', says: 'Previous file', group: 'Diff', run: () => step(-1) });
  useShortcut({
    keys: 'o',
    says: 'Fold or unfold this file',
    group: 'Diff',
    run: () => fold(files[Math.max(0, at.current)]?.path ?? ''),
  });
  useShortcut({ keys: 'O', says: 'Fold or unfold all files', group: 'Diff', run: foldAll });

  return (
    <div className="diff">
      <div className="diff-head">
        <strong className="number-text">{counted(files.length, 'file')}</strong>
        <Changed
          additions={sum(files.map(({ additions }) => additions))}
          deletions={sum(files.map(({ deletions }) => deletions))}
        />
        <span className="diff-says faint">
          {plain(says)}{' '}
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
          This is not all of it: files or lines beyond the limit were left out. `git diff` in the workspace
          has everything.
        </p>
      )}
      <nav className="diff-tree" aria-label="Changed files">
        <FileTree of={tree} onChoose={(file) => show(files.indexOf(file))} />
      </nav>
      <VirtualList
        ref={list}
        items={rows}
        keyOf={keyOf}
        estimate={estimate}
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

function toggled(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(path)) after.add(path);
  return after;
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}

function keyOf({ key }: DiffRow): string {
  return key;
}

function estimate({ kind }: DiffRow): number {
  return kind === 'file' ? FILE_PX : LINE_PX;
}

/** The changed files as a tree; one that is chosen is shown. */
function FileTree({ of, onChoose }: { readonly of: Folder; onChoose(file: DiffFile): void }) {
  return (
    <ul className="tree">
      {of.folders.map((folder) => (
        <li key={folder.name}>
          <span className="tree-folder">{plain(folder.name)}</span>
          <FileTree of={folder} onChoose={onChoose} />
        </li>
      ))}
      {of.files.map((file) => (
        <li key={file.path}>
          <button type="button" className="tree-file" title={plain(file.path)} onClick={() => onChoose(file)}>
            <span className={`tree-name change-${file.change}`}>
              {plain(file.path.split('/').at(-1) ?? '')}
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

/** How much was added and taken away. */
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
