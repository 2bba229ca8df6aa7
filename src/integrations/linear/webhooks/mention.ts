/** Detects Linear comments in which a workspace member mentions Legion. */

import { buildTopic, toTopicToken } from '../../../core/model/topic.ts';
import { unwrap } from '../../../lib/result.ts';
import { hasMention, OWN_NAME, trimForNotice } from '../../webhook-support/mentions.ts';
import type { AddressedNotice } from '../../webhook-support/pending.ts';
import type { LinearCommentData, LinearWebhookEnvelope } from './bodies.ts';

/** Legion's own account, needed to interpret a delivery. */
export interface LinearOwnAccount {
  /** Names of Legion's account. */
  readonly names: readonly string[];
  /**
   * Returns true if Legion wrote the comment with this id. The account alone does not prove it,
   * because Legion may use a person's account.
   */
  readonly isOwn: (comment: string) => boolean;
}

/**
 * Returns undefined if Legion is not mentioned, or if the author is Legion, a bot or outside the
 * workspace.
 */
export function findLinearMention(
  { id, body, issue, user, externalUser, botActor }: LinearCommentData,
  { url }: LinearWebhookEnvelope,
  { names, isOwn }: LinearOwnAccount,
): AddressedNotice | undefined {
  if (!isPresent(user) || isPresent(externalUser) || isPresent(botActor) || isOwn(id)) return undefined;
  const text = body ?? '';
  const identifier = issue?.identifier ?? '';
  const topic = buildLinearTopic(identifier, 'mention');
  if (topic === undefined || !hasMention(replaceProfileLinks(text), [OWN_NAME, ...names])) return undefined;
  return {
    topic,
    notice: {
      text: `${user.name} mentioned Legion in ${identifier}`,
      data: {
        issue: identifier,
        by: user.name,
        user: user.id,
        mayWrite: 'yes',
        comment: id,
        url: url ?? null,
        text: trimForNotice(text),
      },
    },
  };
}

function isPresent<T>(author: T): author is NonNullable<T> {
  return author !== undefined && author !== null;
}

/** Replaces profile addresses with names, because programs mention a person by profile address. */
function replaceProfileLinks(markdown: string): string {
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

/** Team key and issue number, as in `ENG-21`. */
const IDENTIFIER = /^([A-Za-z][A-Za-z0-9_]*)-([1-9]\d*)$/;

/**
 * Returns the topic of a Linear notice, or undefined for an invalid identifier. The team's key is
 * in lower case, like the repository names in GitHub's topics.
 */
export function buildLinearTopic(identifier: string, ...names: readonly string[]): string | undefined {
  const [, key, number] = IDENTIFIER.exec(identifier) ?? [];
  if (key === undefined || number === undefined) return undefined;
  return unwrap(
    buildTopic(
      'notifications',
      'linear',
      toTopicToken(key.toLowerCase()),
      number,
      ...names.map(toTopicToken),
    ),
  );
}
