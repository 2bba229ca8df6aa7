/** Posting a comment once a key. */

import type { IssueId } from '../../core/model/ids.ts';
import type { MadeCommentQuery } from '../../integrations/linear/generated/tracker.ts';
import { MADE_COMMENT } from '../../integrations/linear/tracker/documents.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { ownId } from '../../linear/own-id.ts';
import { unknownIssue } from '../accepted-id.ts';
import { acceptedKey, acceptedText } from './input.ts';
import { mutate, unlessThere } from './made-once.ts';
import type { Room } from './room.ts';
import { issueNamed } from './sight.ts';
import { CREATE_COMMENT } from './write-documents.ts';

/** What was posted stays as it is, even where a person has changed it since. */
export async function comment(room: Room, issue: IssueId, key: string, text: string): Promise<void> {
  const { client, legion } = room;
  const id = ownId(legion, 'comment', issue, acceptedKey(key));
  const body = acceptedText(text);
  const { isThere, issueId } = await find(room, issue, id);
  if (isThere) return;
  await unlessThere(
    () => mutate(client, CREATE_COMMENT, { input: { id, issueId, body } }),
    async () => (await find(room, issue, id)).isThere,
  );
}

async function find(
  room: Room,
  issue: IssueId,
  id: string,
): Promise<{ readonly isThere: boolean; readonly issueId: string }> {
  const named = issueNamed(room, issue);
  if (named === undefined) throw unknownIssue(issue);
  const variables = { issue: named, comment: { id: { in: [id] } } };
  const { issues, comments } = await room.client.query<MadeCommentQuery>(MADE_COMMENT, variables, {
    signal: NEVER_ABORTED,
  });
  const [found] = issues.nodes;
  if (found?.identifier !== issue) throw unknownIssue(issue);
  return { isThere: comments.nodes.length > 0, issueId: found.id };
}
