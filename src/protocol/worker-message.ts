/**
 * A worker message: text for a running session, kept as a file until the session can receive it.
 */
import { z } from 'zod';
import { decodeJson } from '../core/model/decode.ts';
import type { Result } from '../core/model/fault.ts';

/** Environment variable of a worker: the directory where its messages arrive. */
export const MESSAGES_VARIABLE = 'LEGION_LETTERS';

/**
 * A message id is used as a file name. The names sort in the order in which the messages were
 * written.
 */
const MESSAGE_ID = /^[0-9A-Za-z-]{1,64}$/;
const MESSAGE_FILE_NAME = /^[0-9A-Za-z-]{1,64}\.json$/;

/**
 * Number of digits in a message's number. Numbers are padded to this length, so that file names
 * sort by number.
 */
const NUMBER_DIGITS = 12;

const workerMessageSchema = z.strictObject({
  id: z.string().regex(MESSAGE_ID),
  text: z.string(),
  /** If true, the message interrupts the current turn. */
  interrupt: z.boolean(),
});
export type WorkerMessage = z.output<typeof workerMessageSchema>;

export function toMessageId(message: number): string {
  return String(message).padStart(NUMBER_DIGITS, '0');
}

/** Returns the message number from which the id was built. */
export function toMessageNumber(id: string): number {
  return Number(id);
}

/**
 * Id of the request to stop. An attempt is stopped once, so its request has a fixed id, and sending
 * the request again is harmless.
 */
export const STOP_REQUEST_ID = 'stop-request';

const STATUS_QUESTION = 'status-question-';

/** Returns the id of a status question. The time makes it unique, even after a restart. */
export function toStatusQuestionId(at: number): string {
  return `${STATUS_QUESTION}${at}`;
}

export function isStatusQuestionId(id: string): boolean {
  return id.startsWith(STATUS_QUESTION);
}

export function toMessageFileName({ id }: Pick<WorkerMessage, 'id'>): string {
  return `${id}.json`;
}

/** Returns false for other files in the directory, such as an unfinished draft. */
export function isMessageFileName(name: string): boolean {
  return MESSAGE_FILE_NAME.test(name);
}

export function parseWorkerMessage(text: string, name: string): Result<WorkerMessage> {
  return decodeJson(workerMessageSchema, text, name);
}
