/** The board as its people may edit it: only where it lives with Legion. */
import { LegionError } from '../../domain/fault.ts';
import type { LocalBoard } from '../../trackers/local-board.ts';
import type { World } from '../world.ts';

/** Rejects with `issue.not_ours` where issues live on a service of their own. */
export function ownBoard({ board, tracker }: World): LocalBoard {
  if (board === undefined) {
    throw new LegionError('issue.not_ours', `the issues of this legion live on ${tracker.kind}`);
  }
  return board;
}
