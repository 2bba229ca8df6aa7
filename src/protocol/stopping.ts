/** What an operator asks of a daemon to stop workers, and what it answers. */
import { z } from 'zod';
import { MODES } from '../domain/mode.ts';
import { issueSchema } from './board.ts';
import { stoppingSchema } from './board-state.ts';
import { saidAnswer } from './operator.ts';

export const haltRequest = z.strictObject({
  by: z.string().min(1).max(100).default('operator'),
  why: z.string().trim().min(1).max(1_000).default('no reason given'),
});

/** `held`: nothing starts for the issue until it is resumed. */
export const stopAnswer = saidAnswer.extend({ held: z.boolean() });
export type StopAnswer = z.output<typeof stopAnswer>;

/** `merging`: their merge has begun; they are stopped when it has completed. */
export const haltAnswer = saidAnswer.extend({ stopped: z.array(z.string()), merging: z.array(z.string()) });
export type HaltAnswer = z.output<typeof haltAnswer>;

/** An issue that a person moved or closed, with the workers that this stopped. */
export const movedIssueSchema = issueSchema.extend({
  /** `stopping`: its process has not ended yet. */
  stoppedWorkers: z.array(z.object({ mode: z.enum(MODES), stopping: stoppingSchema.optional() })).optional(),
  /** Sentences about what the move leaves as it is, or makes Legion do. */
  notes: z.array(z.string()).optional(),
});
export type MovedIssue = z.output<typeof movedIssueSchema>;
