/** Whose word counts on Linear: that of people of the workspace, and of those the configuration names. */
import { plainLine } from '../../domain/plain-text.ts';
import type { CommentPartsFragment } from '../../integrations/linear/generated/tracker.ts';
import { isOwnId } from '../../linear/own-id.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import type { LinearIssue } from './linear-issue.ts';

interface Author {
  /** As people know them; what stands in `authors.also`. */
  readonly name: string;
  readonly mayWrite: boolean;
}

/** Shown where Linear names nobody, as of an account that was deleted. */
const NOBODY = 'unknown';

/**
 * Guests were invited to the team, so that they count. Who has left, an app and somebody outside do not: anybody may write an
 * e-mail or into a shared channel that Linear makes a comment of.
 */
export function authorOf(
  { user, externalUser, botActor }: Pick<CommentPartsFragment, 'user' | 'externalUser' | 'botActor'>,
  { also, trust }: AuthorPolicy,
): Author {
  const name = plainLine(externalUser?.name ?? user?.name ?? botActor?.name ?? '') || NOBODY;
  const names =
    externalUser === null
      ? [user?.name, user?.displayName, user?.email]
      : [externalUser.name, externalUser.displayName];
  const isNamed = names.some((each) => each !== undefined && also.some((one) => isSame(one, each)));
  const isMember = externalUser === null && user?.active === true && !user.app;
  return { name, mayWrite: trust === 'anyone' || isNamed || isMember };
}

/** What a member has written down for somebody outside is that one's word. */
export function writerOf(issue: LinearIssue, policy: AuthorPolicy, viewer: string): Author {
  const { creator, externalUserCreator, asksExternalUserRequester, botActor } = issue;
  const externalUser = asksExternalUserRequester ?? externalUserCreator;
  const author = authorOf({ user: creator, externalUser, botActor }, policy);
  return isLegions(issue.id, creator, viewer) ? { ...author, mayWrite: true } : author;
}

/** By its id and by Legion's hand: the account may be a person's, who writes for themselves too. */
export function isLegions(id: string, user: { readonly id: string } | null, viewer: string): boolean {
  return user?.id === viewer && isOwnId(id);
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
