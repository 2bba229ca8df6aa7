/** `checkpoint`: how far the work is, for whoever continues it. */
import { isDeepStrictEqual } from 'node:util';
import { appendAs } from '../fence.ts';
import type { Saying } from '../saying.ts';

export const checkpoint: Saying<'checkpoint'> = async (world, who, saved) => {
  const { issue, mode, attempt } = who;
  await appendAs(world, who, ({ worker: { checkpoint: before, lastCheckpoint } }) => {
    // One of the attempt before is not this one's, even if it says the same.
    if (before !== undefined && lastCheckpoint > 0) {
      const { at: _, ...said } = before;
      if (isDeepStrictEqual(said, saved)) return [];
    }
    return [{ type: 'checkpoint.saved', issue, mode, attempt, checkpoint: lastCheckpoint + 1, ...saved }];
  });
  return { says: 'Saved. Go on.' };
};
