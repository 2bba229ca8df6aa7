/** `comment`: a word on the issue, once by its key. */
import { commentKey } from '../message-key.ts';
import type { Saying } from '../saying.ts';

export const comment: Saying<'comment'> = async ({ tracker }, who, { text, key }) => {
  await tracker.comment(who.issue, commentKey(who, key, text), text);
  return { says: 'Your comment is on the issue.' };
};
