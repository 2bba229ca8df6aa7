/** Whether a comment speaks to Legion, and whether its author may: OWNER may, members and collaborators perhaps, nobody else. */

import type { Comment } from '../../integrations/github/webhooks/bodies.ts';
import { cutForNotice, mentions, OWN_NAME } from '../mentions.ts';
import type { Addressed } from '../pending.ts';
import type { RepositoryName } from '../receiver.ts';
import { githubTopic } from './topics.ts';

/** `perhaps`: only the tracker knows whether they have write access. */
const MAY_WRITE: ReadonlyMap<string, 'yes' | 'perhaps'> = new Map([
  ['OWNER', 'yes'],
  ['MEMBER', 'perhaps'],
  ['COLLABORATOR', 'perhaps'],
]);

export interface Place extends RepositoryName {
  readonly number: number;
  readonly kind: 'issue' | 'pull_request';
}

/** Undefined where it does not, or where its author may not. `accounts` are the logins of Legion's own. */
export function mentionIn(
  comment: Comment,
  place: Place,
  accounts: readonly string[],
): Addressed | undefined {
  const by = comment.user?.login;
  const body = comment.body ?? '';
  const mayWrite = MAY_WRITE.get(comment.author_association ?? '');
  if (by === undefined || mayWrite === undefined) return undefined;
  const names = [OWN_NAME, ...accounts].map(mentionName);
  // The same account without the mark is the person whose token Legion uses.
  if (names.includes(mentionName(by)) && body.includes('<!-- legion:')) return undefined;
  if (!mentions(body, names)) return undefined;
  const { owner, repo, number, kind } = place;
  return {
    topic: githubTopic(place, 'mention'),
    notice: {
      text: `${by} speaks to Legion at ${owner}/${repo}#${number}`,
      data: {
        ...{ repository: `${owner}/${repo}`, number, kind, by, mayWrite },
        ...{ comment: comment.id, url: comment.html_url ?? null, text: cutForNotice(body) },
      },
    },
  };
}

/** An app's account is `name[bot]` and is mentioned as `name`. */
function mentionName(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}
