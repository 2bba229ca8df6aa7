/** How wide the output may be. */
import type { CommandContext } from '../command.ts';

/** The width of output that goes to a file or a program: nothing is wrapped or cut for it. */
export const UNLIMITED_COLUMNS = Number.POSITIVE_INFINITY;
/** For a terminal that does not report its width. */
const DEFAULT_COLUMNS = 80;

export function terminalColumns({ isTTY, columns }: CommandContext['stdout' | 'stderr']): number {
  return isTTY === true ? (columns ?? DEFAULT_COLUMNS) : UNLIMITED_COLUMNS;
}
