/** What a file is called while it is being written, and who may read it. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';

/** Ends the name of a file that is being written; one that is old was left by a crash. */
export const UNFINISHED = '.unfinished';

/** What is kept durably are tokens, prompts and what people write about their code: for this user only. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

/** Beside its place, because only a rename within one file system is atomic; hidden, and never the name of two drafts. */
export function draftBeside(path: string): string {
  return join(dirname(path), `.${randomUUID()}${UNFINISHED}`);
}
