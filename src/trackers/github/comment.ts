/** Posting a comment once a key. */

import type { IssueId } from '../../core/model/ids.ts';
import { type MarkedComment, markedComment } from '../../integrations/github/client/marked-comment.ts';
import { NEVER_ABORTED } from '../../lib/async/never-aborted.ts';
import { unknownIssue } from '../accepted-id.ts';
import { readComments } from './comments.ts';
import { keyName } from './key-name.ts';
import { published } from './published-text.ts';
import type { Room } from './room.ts';
import { findKnown } from './sight.ts';

export function commenter(room: Room): (issue: IssueId, key: string, text: string) => Promise<void> {
  const { client, isLegion } = room;
  const underWay = new Map<string, Promise<void>>();
  const said = new Set<string>();

  return async (issue, key, text) => {
    const name = keyName(key);
    const body = published(text, name);
    const known = await findKnown(room, issue, NEVER_ABORTED);
    if (known === undefined) throw unknownIssue(issue);
    const place = `${known.node} ${name}`;
    if (said.has(place)) return;
    const read = async () => {
      const { comments } = await readComments(room, known, () => false, NEVER_ABORTED);
      return { subject: known.node, comments };
    };
    // Two of the same process need not find out from GitHub.
    const mine = underWay.get(place) ?? postOnce(markedComment({ client, isLegion, name, body, read }));
    underWay.set(place, mine);
    try {
      await mine;
      said.add(place);
    } finally {
      underWay.delete(place);
    }
  };
}

async function postOnce({ look, post }: MarkedComment): Promise<void> {
  if ((await look()) === undefined) await post();
}
