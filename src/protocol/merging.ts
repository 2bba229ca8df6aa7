/** What an operator asks about a merge: its revert. */
import { z } from 'zod';
import { by, saidAnswer } from './operator.ts';

export const rollbackRequest = z.strictObject({ by });

export const rollbackAnswer = saidAnswer.extend({ pullRequest: z.int(), branch: z.string() });
export type RollbackAnswer = z.output<typeof rollbackAnswer>;
