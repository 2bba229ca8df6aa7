/** All comments of a pull request, oldest first. */

import type { z } from 'zod';
import { decode } from '../../domain/decode.ts';
import { remarkComment, remarksPage } from '../../integrations/github/forge/answer-schemas.ts';
import type { CommentsOfPullRequestQuery } from '../../integrations/github/generated/forge.ts';
import { allBackward } from '../../lib/paginate.ts';
import { unwrap } from '../../lib/result.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { readEach } from './read-each.ts';
import { COMMENTS } from './write-documents.ts';

export type CommentRecord = z.output<typeof remarkComment>;

export async function askComments(desk: Desk, number: number, signal: AbortSignal) {
  let place = { id: '', branch: '' };
  const comments = await allBackward(async (before) => {
    const { pullRequest } = await askRepository<CommentsOfPullRequestQuery>(
      desk,
      COMMENTS,
      { number, before },
      signal,
    );
    place = { id: pullRequest.id, branch: pullRequest.headRefName };
    const { pageInfo, nodes } = unwrap(decode(remarksPage, pullRequest.comments, 'comments'));
    return { pageInfo, nodes: readEach(desk, remarkComment, nodes, 'comment') };
  });
  return { ...place, comments };
}
