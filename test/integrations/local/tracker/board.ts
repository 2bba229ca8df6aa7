/** Provides a local board for tests that need only one. */
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { openLocalBoard } from '../../../../src/integrations/local/tracker/open-local-board.ts';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import { useFolder } from './folder.ts';

export interface Boards {
  readonly folder: () => string;
  readonly path: () => string;
  /** Opens another handle on the test's board, closed after the test. */
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
