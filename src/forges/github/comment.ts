/** Posts a comment once a key, although GitHub knows no keys. */
import { accountName } from '../../github/actor.ts';
import { cleanBody, cleanKey } from '../clean-text.ts';
import { askComments } from './ask-comments.ts';
import type { Desk } from './desk.ts';
import { commentKeyIn, markComment } from './legion-marks.ts';
import { once } from './once.ts';
import { inOneRequest } from './write-documents.ts';

/** Only under the lock of the clone, so that two of this machine do not post at once. */
export async function comment(desk: Desk, number: number, key: string, text: string): Promise<void> {
  const wanted = cleanKey(key);
  const body = markComment(cleanBody(text), wanted);
  let place = { id: '', branch: '' };

  async function look(): Promise<true | undefined> {
    const { id, branch, comments } = await askComments(desk, number, desk.closing);
    place = { id, branch };
    const isPosted = comments.some(
      (each) => desk.isLegion(accountName(each.author)) && commentKeyIn(each.body) === wanted,
    );
    return isPosted ? true : undefined;
  }

  await once<true>(look, async () => {
    const steps = [{ mutation: 'addComment', input: { subjectId: place.id, body } }];
    const { document, variables } = inOneRequest('CommentOnPullRequest', steps);
    await desk.client.mutate(document, variables);
    desk.changed(place.branch);
    return true;
  });
}
