/** Comments on issues and pull requests. */
import { unprocessable } from './fault.ts';
import type { Account, CommentNode, Issue, PullRequest } from './nodes.ts';
import type { World } from './world.ts';

/** GitHub's own limit of a body, in characters. */
const LONGEST_BODY = 65_536;

export function addComment(world: World, by: Account, on: Issue | PullRequest, body: string): CommentNode {
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

export function editComment(world: World, by: Account, comment: CommentNode, body: string): void {
  checkBody(body);
  comment.body = body;
  comment.updatedAt = world.now();
  comment.on.updatedAt = world.now();
  world.changed({ event: 'issue_comment', action: 'edited', by, comment });
}

export function deleteComment(world: World, by: Account, comment: CommentNode): void {
  world.nodes.delete(comment.id);
  comment.on.comments.splice(comment.on.comments.indexOf(comment), 1);
  comment.on.updatedAt = world.now();
  world.changed({ event: 'issue_comment', action: 'deleted', by, comment });
}

function checkBody(body: string): void {
  if (body.trim() === '') throw unprocessable("Body can't be blank");
  if (body.length > LONGEST_BODY) throw unprocessable('Body is too long (maximum is 65536 characters)');
}
