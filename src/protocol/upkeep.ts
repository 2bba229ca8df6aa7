/** What a daemon answers when it is asked to clean up. */
import { z } from 'zod';

export const pruneAnswer = z.object({ pruned: z.array(z.string()).readonly() });

export const gcAnswer = z.object({
  removed: z.array(z.string()),
  kept: z.array(z.object({ issue: z.string(), why: z.string() })),
  pruned: z.array(z.string()),
});
export type GcAnswer = z.output<typeof gcAnswer>;
