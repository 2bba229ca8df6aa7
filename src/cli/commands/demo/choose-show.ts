/** How the demo is shown: a live board at a terminal, a line a step elsewhere, nothing beside JSON. */
import type { NumberedStory } from '../../../demo/stories.ts';
import type { CommandContext } from '../../command.ts';
import { openLiveBoard } from './live-board.ts';
import { openLog } from './log.ts';
import { type Show, SILENT } from './show.ts';

/** The rows of the board, what is said above it and a line to spare; in a lower terminal it could not be drawn over. */
const LEAST_ROWS = 14;

export function chooseShow(
  { stdout }: CommandContext,
  json: boolean,
  stories: readonly NumberedStory[],
): Show {
  if (json) return SILENT;
  const isRoomy = stdout.isTTY === true && (stdout.rows ?? LEAST_ROWS) >= LEAST_ROWS;
  return isRoomy ? openLiveBoard(stdout, stories) : openLog(stdout);
}
