/** Reads from the server what its events may have failed to tell: what it asks, what was said, and whether the session is idle. */
import { z } from 'zod';
import type { Api } from './api.ts';
import {
  type Message,
  messageSchema,
  type PermissionAsked,
  permissionSchema,
  type QuestionAsked,
  questionSchema,
  statusesSchema,
} from './events.ts';

/** What can have been missed between two looks; a message is one answer of the model with its tools. */
const MESSAGES_MOST = 20;

export interface Sight {
  readonly isIdle: boolean;
  /** The oldest first. */
  readonly messages: readonly Message[];
  readonly permissions: readonly PermissionAsked[];
  readonly questions: readonly QuestionAsked[];
}

/** Rejects with `agent.failed`. */
export async function look(api: Api, session: string): Promise<Sight> {
  const [permissions, questions] = await Promise.all([
    api.get('/permission', z.array(permissionSchema)),
    api.get('/question', z.array(questionSchema)),
  ]);
  // In this order: what was idle before its messages were read has no more to say.
  const isIdle = await isSessionIdle(api, session);
  const messages = await api.get(
    `/session/${session}/message?limit=${MESSAGES_MOST}`,
    z.array(messageSchema),
  );
  return { isIdle, messages, permissions, questions };
}

/** Who is idle is not among the statuses. */
export async function isSessionIdle(api: Api, session: string): Promise<boolean> {
  const status = (await api.get('/session/status', statusesSchema))[session];
  return status === undefined || status.type === 'idle';
}
