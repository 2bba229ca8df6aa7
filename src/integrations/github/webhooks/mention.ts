/**
 * Detects comments that mention Legion, and whether the author may address Legion. Owners may,
 * members and collaborators may if they have write access, and all others may not.
 */

import { buildTopic, toTopicToken } from '../../../core/model/topic.ts';
import { unwrap } from '../../../lib/result.ts';
import type { WebhookRepository } from '../../../ports/webhooks.ts';
import { hasMention, OWN_NAME, trimForNotice } from '../../webhook-support/mentions.ts';
import type { AddressedNotice } from '../../webhook-support/pending.ts';
import type { GithubWebhookComment } from './bodies.ts';

/** `perhaps` means that only the tracker knows whether the author has write access. */
const MAY_WRITE: ReadonlyMap<string, 'yes' | 'perhaps'> = new Map([
  ['OWNER', 'yes'],
  ['MEMBER', 'perhaps'],
  ['COLLABORATOR', 'perhaps'],
]);

export interface MentionTarget extends WebhookRepository {
  readonly number: number;
  readonly kind: 'issue' | 'pull_request';
}

/**
 * Returns undefined if Legion is not mentioned or the author is not allowed to address it.
 * `accounts` are Legion's own logins.
 */
export function findGithubMention(
  comment: GithubWebhookComment,
  target: MentionTarget,
  accounts: readonly string[],
): AddressedNotice | undefined {
  const by = comment.user?.login;
  const body = comment.body ?? '';
  const mayWrite = MAY_WRITE.get(comment.author_association ?? '');
  if (by === undefined || mayWrite === undefined) return undefined;
  const names = [OWN_NAME, ...accounts].map(toMentionName);
  // Ignores Legion's own comments. A comment by the same account without the marker is from the
  // person whose token Legion uses.
  if (names.includes(toMentionName(by)) && body.includes('<!-- legion:')) return undefined;
  if (!hasMention(body, names)) return undefined;
  const { owner, repo, number, kind } = target;
  return {
    topic: buildGithubTopic(target, 'mention'),
    notice: {
      text: `${by} mentioned Legion in ${owner}/${repo}#${number}`,
      data: {
        repository: `${owner}/${repo}`,
        number,
        kind,
        by,
        mayWrite,
        comment: comment.id,
        url: comment.html_url ?? null,
        text: trimForNotice(body),
      },
    },
  };
}

/** An app's account is `name[bot]`, but people mention it as `name`. */
function toMentionName(login: string): string {
  return login.toLowerCase().replace(/\[bot\]$/, '');
}

/**
 * Builds the topic of a GitHub notice. Lower-cases owner and repository, because GitHub ignores
 * their case, whereas topics are case-sensitive.
 */
export function buildGithubTopic(
  { owner, repo }: WebhookRepository,
  ...names: readonly (string | number)[]
): string {
  const repository = [owner, repo].map((name) => toTopicToken(name.toLowerCase()));
  return unwrap(
    buildTopic('notifications', 'github', ...repository, ...names.map((name) => toTopicToken(String(name)))),
  );
}
