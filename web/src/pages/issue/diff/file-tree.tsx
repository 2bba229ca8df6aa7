/** The changed files as a tree; one that is chosen is shown. */
import { plain } from '../../../text/plain.ts';
import { Changed } from './changed.tsx';
import type { DiffFile } from './rows.ts';
import type { Folder } from './tree.ts';

interface FileTreeProps {
  readonly of: Folder;
  onChoose(file: DiffFile): void;
}

export function FileTree({ of, onChoose }: FileTreeProps) {
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
