/** Answers that are lists of what the protocol describes. */
import { z } from 'zod';
import { issueSchema } from '../protocol/board.ts';
import { inboxItemSchema, workerSchema } from '../protocol/operator.ts';

export const issuesAnswer = z.array(issueSchema);
export const workersAnswer = z.array(workerSchema);
export const inboxAnswer = z.array(inboxItemSchema);
