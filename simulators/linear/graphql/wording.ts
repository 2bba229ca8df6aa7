/** How Linear writes addresses, branches and priorities. */
import { type Comment, type Issue, identifierOf, type User } from '../model/nodes.ts';

/** By their number. */
export const PRIORITIES = ['No priority', 'Urgent', 'High', 'Medium', 'Low'];
/** Linear cuts titles in addresses and branches. */
const LONGEST_SLUG = 50;
/** Enough of a UUID to be told apart on a page. */
const SHORT_ID = 8;

/** `url` is where this Linear is. */
export function issueUrl(issue: Issue, url: string): string {
  return `${url}/acme/issue/${identifierOf(issue)}/${slug(issue.title)}`;
}

export function commentUrl({ id, issue }: Comment, url: string): string {
  return `${issueUrl(issue, url)}#comment-${id.slice(0, SHORT_ID)}`;
}

export function profileUrl(user: User, url: string): string {
  return `${url}/acme/profiles/${displayName(user)}`;
}

export function displayName({ name }: User): string {
  return name.toLowerCase().replaceAll(/\s+/g, '');
}

export function branchOf(issue: Issue): string {
  return `${identifierOf(issue).toLowerCase()}-${slug(issue.title)}`;
}

function slug(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, LONGEST_SLUG);
}
