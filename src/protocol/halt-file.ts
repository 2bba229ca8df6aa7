/** The file by which `legion halt` tells the next daemon that the legion is halted. */
import { z } from 'zod';

/** In the state folder of the legion. */
export const HALT_FILE = 'halt.json';

export const haltFileSchema = z.object({
  by: z.string().min(1).max(100),
  why: z.string().min(1).max(1_000),
  at: z.number(),
});
export type HaltFile = z.output<typeof haltFileSchema>;
