/** Converts a GitHub issue, with its position on the board and its blockers, to the domain's issue. */

import { toPlainLine, toStorableText } from '../../../core/model/format.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Issue } from '../../../core/model/issue.ts';
import type { ColumnNames } from '../../../core/model/status.ts';
import { toLabelNames } from '../../tracker-support/issue-input.ts';
import { toAccountName } from '../client/client.ts';
import { compareIssueReferences, type IssueReference } from '../client/issue-reference.ts';
import { restoreWrittenText } from '../client/published-text.ts';
import { parseTime } from '../client/time.ts';
import { createUnnamedBlockerProblem, type IssueBlockers } from './blockers.ts';
import { computeEnteredAt, type IssuePosition, resolveColumn, resolvePriority } from './board-fields.ts';
import type { BoardPlacement } from './board-view.ts';
import type { IssueContent } from './contents.ts';
import type { GithubTrackerContext } from './context.ts';
import type { GithubIssue } from './read-answer.ts';

interface GithubIssueFacts {
  readonly id: IssueId;
  readonly content: IssueContent;
  /** Position on the first board that has the issue. */
  readonly placement: BoardPlacement;
  readonly names: ColumnNames;
  readonly mayWrite: boolean;
  readonly blockers: IssueBlockers;
  readonly idAt: (reference: IssueReference) => IssueId | undefined;
  readonly isLegion: boolean;
}

function toIssue(facts: GithubIssueFacts): Issue {
  const { id, content, placement, names, blockers, idAt, isLegion } = facts;
  const { answer, reference } = content;
  const position = toIssuePosition(answer, placement);
  const labels = toLabelNames(content.labels);
  const { options } = placement.priority;
  const parent = findParentId(answer, idAt);
  const problems = [
    ...content.problems,
    ...blockers.problems,
    ...blockers.open.filter((reference) => idAt(reference) === undefined).map(createUnnamedBlockerProblem),
  ];
  return {
    id,
    source: { kind: 'github', ...reference },
    title: toPlainLine(answer.title),
    body: toStorableText(isLegion ? restoreWrittenText(answer.body) : answer.body),
    column: resolveColumn(position, names),
    labels,
    priority: resolvePriority(
      placement.priorityOption,
      options.map(({ name }) => name),
      labels,
    ),
    createdAt: parseTime(answer.createdAt),
    enteredStatusAt: computeEnteredAt(position, names),
    writtenBy: { name: toAccountName(answer.author), mayWrite: facts.mayWrite },
    ...(parent === undefined ? {} : { parent }),
    openBlockers: blockers.open.toSorted(compareIssueReferences).flatMap((each) => idAt(each) ?? []),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

export function toIssuePosition(
  { closedAt, reopened }: GithubIssue,
  { option, since }: BoardPlacement,
): IssuePosition {
  const [last] = reopened.nodes;
  return {
    option,
    since,
    closedAt: closedAt === null ? undefined : parseTime(closedAt),
    reopenedAt: last === undefined ? undefined : parseTime(last.createdAt),
  };
}

function findParentId({ parent }: GithubIssue, idAt: GithubIssueFacts['idAt']): IssueId | undefined {
  if (parent === null) return undefined;
  const { repository, number } = parent;
  return idAt({ owner: repository.owner.login, repo: repository.name, number });
}

type DescribedIssueFacts = Pick<GithubIssueFacts, 'id' | 'content' | 'placement' | 'blockers'>;

/** Call only after the author's permissions have been read. */
export function describeIssue(
  { authors, columns, isLegion, known }: GithubTrackerContext,
  facts: DescribedIssueFacts,
): Issue {
  const { answer } = facts.content;
  return toIssue({
    ...facts,
    names: columns(),
    mayWrite: authors.mayWrite(answer),
    isLegion: isLegion(toAccountName(answer.author)),
    idAt: known.idAt,
  });
}
