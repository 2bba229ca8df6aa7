/** Whether a comment on Linear speaks to Legion, and whether its author may: members of the workspace do, nobody else. */

import type { CommentData, Envelope } from '../../integrations/linear/webhooks/bodies.ts';
import { cutForNotice, mentions, OWN_NAME } from '../mentions.ts';
import type { Addressed } from '../pending.ts';
import { linearTopic } from './topics.ts';

/** Whom a delivery is read for. */
export interface Reader {
  /** What Legion's account is called. */
  readonly names: readonly string[];
  /** Whether Legion itself has written the comment of this id: it may act in a person's name. */
  readonly isOwn: (comment: string) => boolean;
}

/** Undefined where it does not, or where its author is Legion, a bot or somebody outside the workspace. */
export function mentionIn(
  { id, body, issue, user, externalUser, botActor }: CommentData,
  { url }: Envelope,
  { names, isOwn }: Reader,
): Addressed | undefined {
  if (!isSomebody(user) || isSomebody(externalUser) || isSomebody(botActor) || isOwn(id)) return undefined;
  const text = body ?? '';
  const identifier = issue?.identifier ?? '';
  const topic = linearTopic(identifier, 'mention');
  if (topic === undefined || !mentions(withNames(text), [OWN_NAME, ...names])) return undefined;
  return {
    topic,
    notice: {
      text: `${user.name} speaks to Legion at ${identifier}`,
      data: {
        ...{ issue: identifier, by: user.name, user: user.id, mayWrite: 'yes' },
        ...{ comment: id, url: url ?? null, text: cutForNotice(text) },
      },
    },
  };
}

function isSomebody<T>(author: T): author is NonNullable<T> {
  return author !== undefined && author !== null;
}

/** Programs mention a person by the address of their profile. */
function withNames(markdown: string): string {
  return markdown.replaceAll(
    /https:\/\/linear\.app\/[^\s/]+\/profiles\/([^\s/?#)>\]]+)/gi,
    (address, name: string) => {
      try {
        return `@${decodeURIComponent(name)}`;
      } catch {
        return address;
      }
    },
  );
}
