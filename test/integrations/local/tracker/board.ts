/** A local board for each test that needs only one. */
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import { openLocalBoard } from '../../../../src/trackers/local/open-local-board.ts';
import { useFolder } from './folder.ts';

export interface Boards {
  readonly folder: () => string;
  readonly path: () => string;
  /** One more handle on the one board of the running test; closed after it. */
  readonly open: (now?: () => number, prefix?: string) => Promise<LocalBoard>;
}

export function useBoard(): Boards {
  const folder = useFolder();
  const handles: LocalBoard[] = [];
  const path = () => join(folder(), 'board.db');
  afterEach(async () => {
    for (const board of handles.splice(0)) await board.dispose();
  });
  return {
    folder,
    path,
    async open(now = Date.now, prefix = 'LEG') {
      const board = await openLocalBoard(path(), { prefix, now });
      handles.push(board);
      return board;
    },
  };
}
