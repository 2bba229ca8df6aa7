/** What all workers have spent since local midnight, and what they may; no limit where one is absent. */
import { z } from 'zod';

export const daySchema = z.object({
  usd: z.number(),
  usdLimit: z.number().optional(),
  /** Of agents that report no cost. */
  tokens: z.number(),
  tokensLimit: z.number().optional(),
  endsAt: z.number(),
  /** Why nothing starts until then; absent while the budget lasts. */
  refusal: z.string().optional(),
});
