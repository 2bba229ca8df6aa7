/** All comments of a pull request, oldest first. */

import { allBackward, type PageBackward } from '../../asking/pages.ts';
import type { CommentParts } from '../../github/marked-comment.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { COMMENTS } from './write-documents.ts';

export interface CommentAnswer extends CommentParts {
  readonly createdAt: string;
  readonly authorAssociation: string;
}

interface Answer {
  readonly pullRequest: {
    readonly id: string;
    readonly headRefName: string;
    readonly comments: PageBackward<CommentAnswer>;
  };
}

export async function askComments(desk: Desk, number: number, signal: AbortSignal) {
  let place = { id: '', branch: '' };
  const comments = await allBackward(async (before) => {
    const { pullRequest } = await askRepository<Answer>(desk, COMMENTS, { number, before }, signal);
    place = { id: pullRequest.id, branch: pullRequest.headRefName };
    return pullRequest.comments;
  });
  return { ...place, comments };
}
