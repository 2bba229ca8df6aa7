/** An issue of the domain, from what Linear says of it. */

import type { ColumnNames } from '../../core/model/status.ts';
import type { Issue, IssueProblem, Priority } from '../../domain/issue.ts';
import { cutText, plainLine, wholeText } from '../../domain/plain-text.ts';
import type {
  BlockerPartsFragment,
  StatePartsFragment,
} from '../../integrations/linear/generated/tracker.ts';
import { impossiblePullRequestsIn } from '../../integrations/tracker-support/pull-request-address.ts';
import type { AuthorPolicy } from '../author-policy.ts';
import { labelNames } from '../label-names.ts';
import { writerOf } from './authors.ts';
import { columnOf, hasEnded, hasEndedElsewhere } from './column.ts';
import { enteredAt, firstMoment } from './entered.ts';
import type { LinearIssue } from './linear-issue.ts';

/** An address with more characters tells nobody anything. */
const LINK_MAX = 120;

export interface About {
  readonly team: string;
  readonly viewer: string;
  readonly names: ColumnNames;
  readonly policy: AuthorPolicy;
  /** The team's, by their ids, as they are called now: renaming one changes no issue. */
  readonly states: ReadonlyMap<string, StatePartsFragment>;
}

export function toIssue(answer: LinearIssue, about: About): Issue {
  const { id, identifier, title, description, parent, project, assignee } = answer;
  const { createdAt, attachments, labels } = answer;
  const links = attachments.nodes.map(({ url }) => plainLine(url)).toSorted();
  const problems = problemsOf(answer, links);
  return {
    id: identifier,
    source: { kind: 'linear', uuid: id, identifier },
    title: plainLine(title),
    body: wholeText(description ?? ''),
    column: columnOf(stateOf(answer, about), about.names),
    labels: labelNames(labels.nodes),
    priority: priorityOf(answer.priority),
    createdAt: firstMoment(createdAt),
    enteredStatusAt: enteredAt(answer),
    writtenBy: writerOf(answer, about.policy, about.viewer),
    ...(parent === null ? {} : { parent: parent.identifier }),
    ...(project === null ? {} : { project: plainLine(project.name) }),
    ...(assignee === null ? {} : { assignee: plainLine(assignee.displayName) }),
    ...(links.length === 0 ? {} : { links }),
    openBlockers: openBlockers(answer, about),
    ...(problems.length === 0 ? {} : { problems }),
  };
}

/** What is wrong with it, in words: the subject, the problem and the next step. */
function problemsOf({ refused, createdAt }: LinearIssue, links: readonly string[]): readonly IssueProblem[] {
  const unreadable =
    refused === undefined
      ? []
      : [
          `Legion may not read what this issue refers to, among it what blocks it: ${refused.replace(/[^.!?…]$/, '$&.')} Next step: give Legion’s account access to the team of the issue it refers to, or remove the relation.`,
        ];
  const odd = [
    ...impossiblePullRequestsIn(links).map(
      (link) =>
        `The attachment ${cutText(link, LINK_MAX)} names no pull request: no number of GitHub’s is as large. Next step: remove the attachment from the issue.`,
    ),
    ...(Number.isNaN(Date.parse(createdAt))
      ? ['Linear’s answer about this issue is malformed: createdAt is no time.']
      : []),
  ];
  return [
    ...unreadable.map((text) => ({ text, holds: true })),
    ...odd.map((text) => ({ text, holds: false })),
  ];
}

/** What has ended waits for nothing. */
function openBlockers(answer: LinearIssue, about: About): readonly string[] {
  if (hasEnded(stateOf(answer, about), about.names)) return [];
  const open = blockersOf(answer).filter((blocker) => isOpen(blocker, about));
  return [...new Set(open.map(({ identifier }) => identifier))].toSorted();
}

export function blockersOf({
  inverseRelations,
}: Pick<LinearIssue, 'inverseRelations'>): readonly BlockerPartsFragment[] {
  return inverseRelations.nodes.filter(({ type }) => type === 'blocks').map(({ issue }) => issue);
}

export function stateOf(
  { state }: { readonly state: StatePartsFragment },
  { states }: Pick<About, 'states'>,
): StatePartsFragment {
  return states.get(state.id) ?? state;
}

function isOpen(blocker: BlockerPartsFragment, about: About): boolean {
  if (blocker.trashed === true) return false;
  return blocker.team.id === about.team
    ? !hasEnded(stateOf(blocker, about), about.names)
    : !hasEndedElsewhere(blocker.state);
}

/** The domain's numbers are Linear's. */
function priorityOf(number: number): Priority {
  return ([1, 2, 3, 4] as const).find((priority) => priority === number) ?? 0;
}
