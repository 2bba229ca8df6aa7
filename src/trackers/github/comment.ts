/** Posting a comment once a key, although GitHub knows no keys. */
import { LegionError } from '../../domain/fault.ts';
import type { IssueId } from '../../domain/ids.ts';
import type { CommentAnswer } from './answers.ts';
import { legionMark, readComments } from './comments.ts';
import { keyName } from './key-name.ts';
import type { Known } from './known-issues.ts';
import { published } from './published-text.ts';
import { NEVER_ABORTED, type Room } from './room.ts';
import { findKnown, unknownIssue } from './sight.ts';
import { ADD_COMMENT, inOneRequest } from './write-documents.ts';

export type PostComment = (issue: IssueId, key: string, text: string) => Promise<void>;

/**
 * Looks for the key's mark among all comments, posts, and looks again in the answer to that. Comments are numbered in the
 * order they were made, so of two who post at once the second always sees the first, and takes its own away. Between its
 * posting and that, or if it is killed there until somebody says the same again, two are to be seen.
 */
export function commenter(room: Room): PostComment {
  const underWay = new Map<string, Promise<void>>();
  const said = new Set<string>();

  async function post(known: Known, name: string, body: string): Promise<void> {
    const { comments } = await readComments(room, known, () => false, NEVER_ABORTED);
    if (await keepFirst(room, comments, name)) return;
    const input = { subjectId: known.node, body };
    const answer = await room.client.mutate<Answer>(ADD_COMMENT, { input });
    await keepFirst(room, answer.addComment.subject.comments.nodes, name);
  }

  return async (issue, key, text) => {
    const name = keyName(key);
    const body = published(text, name);
    const known = await findKnown(room, issue, NEVER_ABORTED);
    if (known === undefined) throw unknownIssue(issue);
    const place = `${known.node} ${name}`;
    if (said.has(place)) return;
    // Two of the same process need not find out from GitHub.
    const mine = underWay.get(place) ?? post(known, name, body);
    underWay.set(place, mine);
    try {
      await mine;
      said.add(place);
    } finally {
      underWay.delete(place);
    }
  };
}

interface Answer {
  readonly addComment: {
    readonly subject: { readonly comments: { readonly nodes: readonly CommentAnswer[] } };
  };
}

/** True if there is one. All but the first of them go; somebody else may be taking them away at the same time. */
async function keepFirst(room: Room, comments: readonly CommentAnswer[], name: string): Promise<boolean> {
  const [first, ...others] = comments
    .filter((comment) => legionMark(room, comment) === name)
    .toSorted((a, b) => Number(BigInt(a.fullDatabaseId) - BigInt(b.fullDatabaseId)));
  for (const { id } of others) {
    const { document, variables } = inOneRequest('TakeBack', [
      { mutation: 'deleteIssueComment', input: { id } },
    ]);
    await room.client.mutate(document, variables).catch(unlessGone);
  }
  return first !== undefined;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof LegionError && error.code === 'github.missing')) throw error;
}
