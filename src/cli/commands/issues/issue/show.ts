/** `legion issue show`: one issue with its pull request, workers and comments. */
import { Command } from '@commander-js/extra-typings';
import { type IssueDetail, issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { parseIssueId } from '../../../parse-names.ts';
import { bullets, fields, heading, paragraph, section } from '../../../present/page.ts';
import { table } from '../../../present/table.ts';
import { ago, moment } from '../../../present/time.ts';
import { priorityWord, statusWord, workerState } from '../../../present/words.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { examples, ISSUE_HELP } from '../../../program/options.ts';

export const show = daemonCommand(
  () =>
    new Command()
      .description('Show an issue with its specification, pull request, workers and comments.')
      .argument('<ISSUE>', ISSUE_HELP)
      .addHelpText('after', examples('legion issue show SHOP-1')),
  async ({ positionals: [issue] }, { daemon, columns }) => {
    const detail = await daemon.call(issueEndpoints.show, { params: { id: parseIssueId(issue) } });
    return { data: detail, text: page(detail, Date.now(), columns) };
  },
);

function page(
  { issue, comments, pullRequest, revert, specification, workers }: IssueDetail,
  now: number,
  columns: number,
): string {
  const rows = workers.map((worker) => [
    worker.mode,
    String(worker.attempt),
    workerState(worker),
    ago(worker.startedAt, now),
    worker.report?.summary ?? '',
  ]);
  return [
    heading(`${issue.id}  ${issue.title}`),
    fields([
      ['status', statusText(issue)],
      ['priority', priorityWord(issue.priority)],
      ['labels', issue.labels.join(' ')],
      ['waits for', issue.blockedBy.join(' ')],
      ['problems', issue.problems?.join('\n')],
      ['part of', issue.parent],
      ['created', moment(issue.createdAt)],
      ['assigned to', issue.assignee],
      ['written by', writtenBy(issue)],
      ['pull request', pullRequest === null ? undefined : pullRequestText(pullRequest)],
      ['revert', revert === undefined ? undefined : revertText(revert)],
    ]),
    section('Text', paragraph(issue.body)),
    section('Specification', specification === undefined ? '' : specificationText(specification)),
    section(
      'Workers',
      rows.length === 0 ? '' : table(['MODE', 'ATTEMPT', 'STATE', 'STARTED', 'REPORT'], rows, columns),
    ),
    section(
      'Comments',
      bullets(
        comments.map(
          ({ author, by, at, text }) =>
            `${author}${by === 'outsider' ? ' (outsider)' : ''}, ${ago(at, now)}: ${text}`,
        ),
      ),
    ),
  ].join('');
}

function specificationText({
  summary,
  decided,
  left,
  files,
  tests,
  details,
}: NonNullable<IssueDetail['specification']>): string {
  const extra = typeof details === 'string' ? details : JSON.stringify(details, undefined, 2);
  return [
    paragraph(summary),
    bullets(decided.map((each) => `- ${each}`)),
    fields([
      ['left', left.join('\n')],
      ['files', files.join('\n')],
      ['tests', tests.join('\n')],
    ]),
    paragraph(extra ?? ''),
  ].join('');
}

function statusText({ status, column }: IssueDetail['issue']): string {
  const word = statusWord(status);
  return word === column ? word : `${word} (column ${column})`;
}

/** Only where people write who may not steer. */
function writtenBy({ writtenBy: author }: IssueDetail['issue']): string | undefined {
  if (author === undefined) return undefined;
  return author.mayWrite ? author.name : `${author.name}, an outsider: nobody works on it`;
}

function revertText({ number, state, url }: NonNullable<IssueDetail['revert']>): string {
  if (state === 'merged') return `#${number}, merged`;
  if (state === 'closed') return `#${number}, closed without being merged`;
  return `#${number}; to merge it: ${url ?? `legion pr merge ${number}`}`;
}

function pullRequestText(pr: NonNullable<IssueDetail['pullRequest']>): string {
  const state = pr.draft ? `${pr.state}, draft` : pr.state;
  const sha = pr.headSha.slice(0, 10);
  return `#${pr.number} ${pr.title}\n${state}, ${pr.branch} at ${sha}; review ${pr.review}, CI ${pr.ci}, ${pr.mergeable}`;
}
