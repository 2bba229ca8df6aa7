/** Names what a worker says, so that the same said twice is one comment or one message. */
import { createHash } from 'node:crypto';
import type { WorkerIdentity } from '../daemon.ts';

/** By the worker's own key, or else by the text; another attempt's is another comment. */
export function commentKey(
  { issue, mode, attempt }: WorkerIdentity,
  key: string | undefined,
  text: string,
): string {
  return `${issue}:${mode}:${attempt}:${key ?? digest(text)}`;
}

export function messageKey({ issue, mode, attempt }: WorkerIdentity, to: string, text: string): string {
  return `${issue}:${mode}:${attempt}:${digest(JSON.stringify([to, text]))}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
