/** Converts a Linear issue to the domain's issue, and decides which authors' texts are trusted. */

import { toPlainLine, toStorableText, truncateText } from '../../../core/model/format.ts';
import type { Issue, IssuePriority, IssueProblem } from '../../../core/model/issue.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { type AuthorPolicy, toLabelNames } from '../../tracker-support/issue-input.ts';
import { findImpossiblePullRequests } from '../../tracker-support/pull-request-address.ts';
import { isOwnId } from '../client/own-id.ts';
import type { BlockerPartsFragment, CommentPartsFragment, StatePartsFragment } from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';
import { computeEnteredAt, hasEnded, hasEndedElsewhere, parseFirstTime, resolveColumn } from './column.ts';

/** Maximum number of characters of an address that a message quotes. */
const LINK_MAX = 120;

export interface LinearIssueContext {
  readonly team: string;
  readonly viewer: string;
  readonly names: ColumnNames;
  readonly policy: AuthorPolicy;
  /**
   * The team's states by id, with their current names, because renaming a state does not change its
   * issues.
   */
  readonly states: ReadonlyMap<string, StatePartsFragment>;
}

export function toIssue(answer: LinearIssue, context: LinearIssueContext): Issue {
  const { id, identifier, title, description, parent, project, assignee } = answer;
  const { createdAt, attachments, labels } = answer;
  const links = attachments.nodes.map(({ url }) => toPlainLine(url)).toSorted();
  const problems = listProblems(answer, links);
  return {
    id: identifier,
    source: { kind: 'linear', uuid: id, identifier },
    title: toPlainLine(title),
    body: toStorableText(description ?? ''),
    column: resolveColumn(resolveState(answer, context), context.names),
    labels: toLabelNames(labels.nodes),
    priority: toPriority(answer.priority),
    createdAt: parseFirstTime(createdAt),
    enteredStatusAt: computeEnteredAt(answer),
    writtenBy: resolveIssueAuthor(answer, context.policy, context.viewer),
    ...(parent === null ? {} : { parent: parent.identifier }),
    ...(project === null ? {} : { project: toPlainLine(project.name) }),
    ...(assignee === null ? {} : { assignee: toPlainLine(assignee.displayName) }),
    ...(links.length === 0 ? {} : { links }),
    openBlockers: listOpenBlockers(answer, context),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

/** Returns the problems of an issue, each with its subject, problem and next step. */
function listProblems(
  { refused, createdAt }: LinearIssue,
  links: readonly string[],
): readonly IssueProblem[] {
  const unreadable =
    refused === undefined
      ? []
      : [
          `Legion does not have permission to read the objects this issue refers to, including its blockers: ${refused.replace(/[^.!?…]$/, '$&.')} Next step: give Legion’s account access to the team of the issue it refers to, or remove the relation.`,
        ];
  const malformed = [
    ...findImpossiblePullRequests(links).map(
      (link) =>
        `The attachment ${truncateText(link, LINK_MAX)} is not a valid pull request link: GitHub has no number that large. Next step: remove the attachment from the issue.`,
    ),
    ...(Number.isNaN(Date.parse(createdAt))
      ? ['Linear’s response for this issue is malformed: createdAt is not a valid time.']
      : []),
  ];
  return [
    ...unreadable.map((text) => ({ text, holds: true })),
    ...malformed.map((text) => ({ text, holds: false })),
  ];
}

/** Returns the open blockers of an issue. An issue that has ended waits for none. */
function listOpenBlockers(answer: LinearIssue, context: LinearIssueContext): readonly string[] {
  if (hasEnded(resolveState(answer, context), context.names)) return [];
  const open = listBlockers(answer).filter((blocker) => isOpen(blocker, context));
  return [...new Set(open.map(({ identifier }) => identifier))].toSorted();
}

export function listBlockers({
  inverseRelations,
}: Pick<LinearIssue, 'inverseRelations'>): readonly BlockerPartsFragment[] {
  return inverseRelations.nodes.filter(({ type }) => type === 'blocks').map(({ issue }) => issue);
}

export function resolveState(
  { state }: { readonly state: StatePartsFragment },
  { states }: Pick<LinearIssueContext, 'states'>,
): StatePartsFragment {
  return states.get(state.id) ?? state;
}

function isOpen(blocker: BlockerPartsFragment, context: LinearIssueContext): boolean {
  if (blocker.trashed === true) return false;
  return blocker.team.id === context.team
    ? !hasEnded(resolveState(blocker, context), context.names)
    : !hasEndedElsewhere(blocker.state);
}

/** Linear and the domain use the same priority numbers. */
function toPriority(number: number): IssuePriority {
  return ([1, 2, 3, 4] as const).find((priority) => priority === number) ?? 0;
}

interface LinearAuthor {
  /** Name of the author as people know it and as it is written in `authors.also`. */
  readonly name: string;
  readonly mayWrite: boolean;
}

/** Shown if Linear does not return an author, for example for a deleted account. */
const UNKNOWN_AUTHOR = 'unknown';

/**
 * Returns an author and whether their text is trusted. Workspace members and the accounts listed in
 * the configuration are trusted. So are guests, because they were invited to the team. Former
 * members, apps and external people are not: anyone can send an e-mail or post to a shared channel
 * that Linear turns into a comment.
 */
export function resolveCommentAuthor(
  { user, externalUser, botActor }: Pick<CommentPartsFragment, 'user' | 'externalUser' | 'botActor'>,
  { also, trust }: AuthorPolicy,
): LinearAuthor {
  const name = toPlainLine(externalUser?.name ?? user?.name ?? botActor?.name ?? '') || UNKNOWN_AUTHOR;
  const names =
    externalUser === null
      ? [user?.name, user?.displayName, user?.email]
      : [externalUser.name, externalUser.displayName];
  const isNamed = names.some((each) => each !== undefined && also.some((one) => isSame(one, each)));
  const isMember = externalUser === null && user?.active === true && !user.app;
  return { name, mayWrite: trust === 'anyone' || isNamed || isMember };
}

/**
 * Returns an issue's author. If a member filed the issue for an external person, that person is
 * treated as the author.
 */
function resolveIssueAuthor(issue: LinearIssue, policy: AuthorPolicy, viewer: string): LinearAuthor {
  const { creator, externalUserCreator, asksExternalUserRequester, botActor } = issue;
  const externalUser = asksExternalUserRequester ?? externalUserCreator;
  const author = resolveCommentAuthor({ user: creator, externalUser, botActor }, policy);
  return isByLegion(issue.id, creator, viewer) ? { ...author, mayWrite: true } : author;
}

/**
 * Returns whether Legion created the object. Checks both the id and the creator, because the
 * account may belong to a person who also writes issues.
 */
export function isByLegion(id: string, user: { readonly id: string } | null, viewer: string): boolean {
  return user?.id === viewer && isOwnId(id);
}

function isSame(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
