/** Formats URLs, branch names and priorities as Linear does. */
import { type Comment, formatIdentifier, type Issue, type User } from '../model/nodes.ts';

/** Indexed by priority number. */
export const PRIORITIES = ['No priority', 'Urgent', 'High', 'Medium', 'Low'];
/** Linear truncates titles in URLs and branch names. */
const MAX_SLUG_CHARACTERS = 50;
/** Number of characters that are kept of a UUID, enough to be unique on a page. */
const SHORT_ID = 8;

/** `url` is the base URL of this Linear. */
export function buildIssueUrl(issue: Issue, url: string): string {
  return `${url}/acme/issue/${formatIdentifier(issue)}/${toSlug(issue.title)}`;
}

export function buildCommentUrl({ id, issue }: Comment, url: string): string {
  return `${buildIssueUrl(issue, url)}#comment-${id.slice(0, SHORT_ID)}`;
}

export function buildProfileUrl(user: User, url: string): string {
  return `${url}/acme/profiles/${toDisplayName(user)}`;
}

export function toDisplayName({ name }: User): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}

export function buildBranchName(issue: Issue): string {
  return `${formatIdentifier(issue).toLowerCase()}-${toSlug(issue.title)}`;
}

function toSlug(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, MAX_SLUG_CHARACTERS);
}
