/** An issue of the domain, from what GitHub says of it. */
import type { IssueId } from '../../core/model/ids.ts';
import type { ColumnNames } from '../../core/model/status.ts';
import type { Issue } from '../../domain/issue.ts';
import { plainLine, wholeText } from '../../domain/plain-text.ts';
import { accountName } from '../../github/actor.ts';
import { asWritten } from '../../github/published-text.ts';
import { timeOf } from '../../github/time.ts';
import { byPlace, type IssuePlace } from '../../integrations/github/client/issue-reference.ts';
import type { Placement } from '../../integrations/github/tracker/board-view.ts';
import type { Content } from '../../integrations/github/tracker/contents.ts';
import { labelNames } from '../label-names.ts';
import { columnOf, enteredAt, type Standing } from './column.ts';
import type { IssueBlockers } from './issue-blockers.ts';
import { unnamedBlocker } from './issue-problems.ts';
import { priorityOf } from './priority.ts';
import type { GithubIssue } from './read-answer.ts';

export interface About {
  readonly id: IssueId;
  readonly content: Content;
  /** On the board that counts. */
  readonly placement: Placement;
  readonly names: ColumnNames;
  readonly mayWrite: boolean;
  readonly blockers: IssueBlockers;
  readonly idAt: (place: IssuePlace) => IssueId | undefined;
  readonly isLegion: boolean;
}

export function toIssue(about: About): Issue {
  const { id, content, placement, names, blockers, idAt, isLegion } = about;
  const { answer, place } = content;
  const standing = standingOf(answer, placement);
  const labels = labelNames(content.labels);
  const { options } = placement.priority;
  const parent = parentOf(answer, idAt);
  const problems = [
    ...content.problems,
    ...blockers.problems,
    ...blockers.open.filter((place) => idAt(place) === undefined).map(unnamedBlocker),
  ];
  return {
    id,
    source: { kind: 'github', ...place },
    title: plainLine(answer.title),
    body: wholeText(isLegion ? asWritten(answer.body) : answer.body),
    column: columnOf(standing, names),
    labels,
    priority: priorityOf(
      placement.priorityOption,
      options.map(({ name }) => name),
      labels,
    ),
    createdAt: timeOf(answer.createdAt),
    enteredStatusAt: enteredAt(standing, names),
    writtenBy: { name: accountName(answer.author), mayWrite: about.mayWrite },
    ...(parent === undefined ? {} : { parent }),
    openBlockers: blockers.open.toSorted(byPlace).flatMap((each) => idAt(each) ?? []),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

export function standingOf({ closedAt, reopened }: GithubIssue, { option, since }: Placement): Standing {
  const [last] = reopened.nodes;
  return {
    option,
    since,
    closedAt: closedAt === null ? undefined : timeOf(closedAt),
    reopenedAt: last === undefined ? undefined : timeOf(last.createdAt),
  };
}

function parentOf({ parent }: GithubIssue, idAt: About['idAt']): IssueId | undefined {
  if (parent === null) return undefined;
  const { repository, number } = parent;
  return idAt({ owner: repository.owner.login, repo: repository.name, number });
}
