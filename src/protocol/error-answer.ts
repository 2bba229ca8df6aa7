/** What is wrong, with its code and the next step. */
import { z } from 'zod';

export const faultSchema = z.object({ code: z.string(), message: z.string(), next: z.string() });

/** The body of every answer that is not a success. */
export const errorAnswer = z.object({ error: faultSchema });
