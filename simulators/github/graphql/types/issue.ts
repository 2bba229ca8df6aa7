/** Resolves fields of issues. */

import { findClosingIssues } from '../../model/closing-keywords.ts';
import { GithubRefusal } from '../../model/fault.ts';
import type { Issue, PullRequest } from '../../model/nodes.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime, SchemaValue } from '../shape.ts';
import { ANY_THREAD } from './thread.ts';

export const ISSUE: GithubResolverTable = {
  Issue: {
    ...ANY_THREAD,
    stateReason: (it: Issue, { enableDuplicate }: { enableDuplicate?: boolean }) =>
      it.stateReason === 'DUPLICATE' && enableDuplicate !== true ? 'NOT_PLANNED' : it.stateReason,
    parent: (it: Issue) => it.parent ?? null,
    subIssues: (it: Issue, page: PageArguments) => buildConnection('IssueConnection', it.subIssues, page),
    // GitHub lists the latest dependency first.
    blockedBy: (it: Issue, page: PageArguments) =>
      buildConnection('IssueConnection', it.blockedBy.toReversed(), page),
    subIssuesSummary: ({ subIssues }: Issue) => {
      const completed = subIssues.filter(({ state }) => state === 'CLOSED').length;
      const total = subIssues.length;
      const percentCompleted = total === 0 ? 0 : Math.floor((completed * 100) / total);
      return new SchemaValue('SubIssuesSummary', { total, completed, percentCompleted });
    },
    closedByPullRequestsReferences: (it: Issue, page: PageArguments & { includeClosedPrs?: boolean }) => {
      const isClosedToo = page.includeClosedPrs === true;
      const closers = it.repository.threads
        .filter((each): each is PullRequest => each.type === 'PullRequest')
        .filter((each) => findClosingIssues(each).includes(it))
        .filter((each) => isClosedToo || each.state !== 'CLOSED');
      return buildConnection('PullRequestConnection', closers, page);
    },
    timelineItems: listTimelineItems,
  },
};

const EVENT_TYPES: Readonly<Record<string, string>> = {
  CLOSED_EVENT: 'ClosedEvent',
  REOPENED_EVENT: 'ReopenedEvent',
  ISSUE_COMMENT: 'IssueComment',
};

export function listTimelineItems(
  it: Issue | PullRequest,
  page: PageArguments & { itemTypes?: string[] | null; since?: string | null },
  _context: GithubResolverContext,
): SchemaValue {
  const wanted = page.itemTypes;
  if (wanted == null || wanted.some((type) => EVENT_TYPES[type] === undefined)) {
    throw new GithubRefusal(
      'NOT_SIMULATED',
      `Timelines in the simulator contain only ${Object.keys(EVENT_TYPES).join(', ')}: list these in itemTypes.`,
    );
  }
  const types = wanted.map((type) => EVENT_TYPES[type]);
  const since = page.since == null ? 0 : Date.parse(page.since) / 1000;
  const kept = [...it.events, ...it.comments]
    .filter((each) => types.includes(each.type) && each.createdAt >= since)
    .sort((a, b) => a.databaseId - b.databaseId);
  const type = it.type === 'Issue' ? 'IssueTimelineItemsConnection' : 'PullRequestTimelineItemsConnection';
  return buildConnection(type, kept, page, {
    fields: { filteredCount: kept.length, updatedAt: formatGithubTime(it.updatedAt) },
  });
}
