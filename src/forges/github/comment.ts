/** Posts a comment once a key. */
import { markedComment } from '../../integrations/github/client/marked-comment.ts';
import { commentMark, markComment } from '../../integrations/github/forge/legion-marks.ts';
import { cleanBody, cleanKey } from '../clean-text.ts';
import { askComments } from './ask-comments.ts';
import type { Desk } from './desk.ts';
import { once } from './once.ts';

/** Only under the lock of the clone, so that two of this machine do not post at once; those of others find out from GitHub. */
export async function comment(desk: Desk, number: number, key: string, text: string): Promise<void> {
  const { client, isLegion } = desk;
  const wanted = cleanKey(key);
  const body = markComment(cleanBody(text), wanted);
  let branch = '';

  async function read() {
    const { id, comments, ...place } = await askComments(desk, number, desk.closing);
    branch = place.branch;
    return { subject: id, comments };
  }

  const { look, post } = markedComment({ client, isLegion, name: commentMark(wanted), body, read });
  await once(look, async () => {
    await post();
    desk.changed(branch);
    return true;
  });
}
