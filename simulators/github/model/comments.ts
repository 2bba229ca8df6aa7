/** Manages comments on issues and pull requests. */
import { toUnprocessable } from './fault.ts';
import type { Account, CommentNode, Issue, PullRequest } from './nodes.ts';
import type { GithubWorld } from './world.ts';

/** GitHub's limit for a body, in characters. */
const MAX_COMMENT_CHARACTERS = 65_536;

export function addComment(
  world: GithubWorld,
  by: Account,
  on: Issue | PullRequest,
  body: string,
): CommentNode {
  checkBody(body);
  const identity = world.identity('IC');
  const comment = world.add<CommentNode>({
    ...identity,
    type: 'IssueComment',
    on,
    author: by,
    body,
    updatedAt: identity.createdAt,
  });
  on.comments.push(comment);
  on.updatedAt = world.now();
  world.changed({ event: 'issue_comment', action: 'created', by, comment });
  return comment;
}

export function updateComment(world: GithubWorld, by: Account, comment: CommentNode, body: string): void {
  checkBody(body);
  comment.body = body;
  comment.updatedAt = world.now();
  comment.on.updatedAt = world.now();
  world.changed({ event: 'issue_comment', action: 'edited', by, comment });
}

export function deleteComment(world: GithubWorld, by: Account, comment: CommentNode): void {
  world.nodes.delete(comment.id);
  comment.on.comments.splice(comment.on.comments.indexOf(comment), 1);
  comment.on.updatedAt = world.now();
  world.changed({ event: 'issue_comment', action: 'deleted', by, comment });
}

function checkBody(body: string): void {
  if (body.trim() === '') throw toUnprocessable("Body can't be blank");
  if (body.length > MAX_COMMENT_CHARACTERS)
    throw toUnprocessable('Body is too long (maximum is 65536 characters)');
}
