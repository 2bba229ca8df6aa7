/** What the sub-issues of a split issue amount to. */

import type { Children } from '../core/model/signals.ts';
import type { SeenStatus } from '../core/model/status.ts';
import { isFinished } from '../core/model/status.ts';

/** A sub-issue that could not be found on the board counts as open: "not read" never means "done". */
export function childrenOf(
  children: readonly string[],
  statusOf: (issue: string) => SeenStatus | undefined,
): Children {
  if (children.length === 0) return 'none';
  const ended = children.every((child) => {
    const status = statusOf(child);
    return isFinished(status);
  });
  return ended ? 'all_done' : 'open';
}
