/** `legion issue show`: shows one issue with its pull request, workers and comments. */
import { Command } from '@commander-js/extra-typings';
import { type IssueDetail, issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { parseIssueId } from '../../../parse-names.ts';
import {
  renderBullets,
  renderFields,
  renderHeading,
  renderParagraph,
  renderSection,
} from '../../../present/page.ts';
import { renderTable } from '../../../present/table.ts';
import {
  describeWorkerState,
  formatLocalMoment,
  formatTimeAgo,
  toPriorityLabel,
  toStatusLabel,
} from '../../../present/words.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../../program/define-command.ts';

export const show = daemonCommand(
  () =>
    new Command()
      .description('Show an issue with its specification, pull request, workers and comments.')
      .argument('<ISSUE>', ISSUE_HELP)
      .addHelpText('after', renderExamples('legion issue show SHOP-1')),
  async ({ positionals: [issue] }, { daemon, columns }) => {
    const detail = await daemon.call(issueEndpoints.show, { params: { id: parseIssueId(issue) } });
    return { data: detail, text: renderIssuePage(detail, Date.now(), columns) };
  },
);

function renderIssuePage(
  { issue, comments, pullRequest, revert, specification, workers }: IssueDetail,
  now: number,
  columns: number,
): string {
  const rows = workers.map((worker) => [
    worker.mode,
    String(worker.attempt),
    describeWorkerState(worker),
    formatTimeAgo(worker.startedAt, now),
    worker.report?.summary ?? '',
  ]);
  return [
    renderHeading(`${issue.id}  ${issue.title}`),
    renderFields([
      ['status', describeIssueStatus(issue)],
      ['priority', toPriorityLabel(issue.priority)],
      ['labels', issue.labels.join(' ')],
      ['waits for', issue.blockedBy.join(' ')],
      ['problems', issue.problems?.join('\n')],
      ['part of', issue.parent],
      ['created', formatLocalMoment(issue.createdAt)],
      ['assigned to', issue.assignee],
      ['written by', describeAuthor(issue)],
      ['pull request', pullRequest === null ? undefined : describePullRequest(pullRequest)],
      ['revert', revert === undefined ? undefined : describeRevert(revert)],
    ]),
    renderSection('Text', renderParagraph(issue.body)),
    renderSection('Specification', specification === undefined ? '' : renderSpecification(specification)),
    renderSection(
      'Workers',
      rows.length === 0 ? '' : renderTable(['MODE', 'ATTEMPT', 'STATE', 'STARTED', 'REPORT'], rows, columns),
    ),
    renderSection(
      'Comments',
      renderBullets(
        comments.map(
          ({ author, by, at, text }) =>
            `${author}${by === 'outsider' ? ' (outsider)' : ''}, ${formatTimeAgo(at, now)}: ${text}`,
        ),
      ),
    ),
  ].join('');
}

function renderSpecification({
  summary,
  decided,
  left,
  files,
  tests,
  details,
}: NonNullable<IssueDetail['specification']>): string {
  const extra = typeof details === 'string' ? details : JSON.stringify(details, undefined, 2);
  return [
    renderParagraph(summary),
    renderBullets(decided.map((each) => `- ${each}`)),
    renderFields([
      ['left', left.join('\n')],
      ['files', files.join('\n')],
      ['tests', tests.join('\n')],
    ]),
    renderParagraph(extra ?? ''),
  ].join('');
}

function describeIssueStatus({ status, column }: IssueDetail['issue']): string {
  const word = toStatusLabel(status);
  return word === column ? word : `${word} (column ${column})`;
}

/** The author is set only on trackers where people without write access can create issues. */
function describeAuthor({ writtenBy: author }: IssueDetail['issue']): string | undefined {
  if (author === undefined) return undefined;
  return author.mayWrite ? author.name : `${author.name}, an outsider: Legion does not work on this issue`;
}

function describeRevert({ number, state, url }: NonNullable<IssueDetail['revert']>): string {
  if (state === 'merged') return `#${number}, merged`;
  if (state === 'closed') return `#${number}, closed without merging`;
  return `#${number}; to merge it: ${url ?? `legion pr merge ${number}`}`;
}

function describePullRequest(pr: NonNullable<IssueDetail['pullRequest']>): string {
  const state = pr.draft ? `${pr.state}, draft` : pr.state;
  const sha = pr.headSha.slice(0, 10);
  return `#${pr.number} ${pr.title}\n${state}, ${pr.branch} at ${sha}; review ${pr.review}, CI ${pr.ci}, ${pr.mergeable}`;
}
