/** An operator’s word on the baseline of the repositories. */
import { z } from 'zod';

/** `ignore`: workers start although a baseline is bad, until the commands change or it passes. `rerun`: it runs again now. */
export const baselineRequest = z.strictObject({
  action: z.enum(['ignore', 'rerun']),
  by: z.string().min(1).max(100).default('operator'),
});
export type BaselineRequest = z.output<typeof baselineRequest>;

/** Baselines that run now: no worker of these repositories starts before the result. */
export const runningBaselinesSchema = z.array(z.object({ repo: z.string(), command: z.string() }));

/** What somebody should know though it stops nothing. */
export const noticesSchema = z.array(z.object({ message: z.string(), next: z.string() }));
