/** Limits of one worker or one issue, as they are shown. */
import { z } from 'zod';

/** What may be used up; where something is absent there is no limit. */
export const budgetSchema = z.object({
  wallMs: z.number().optional(),
  turns: z.number().optional(),
  tokens: z.number().optional(),
  usd: z.number().optional(),
  /** Counts only for agents that report no cost. */
  unpricedTokens: z.number().optional(),
});
