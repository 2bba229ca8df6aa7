/** `legion ci`: shows the checks of an issue's pull request and the end of their logs. */

import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { type CheckView, type CiView, DEFAULT_LOG_LINES, MAX_LOG_LINES } from '../../../protocol/ci.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { measureWidth, padText } from '../../present/fit.ts';
import { renderBullets, renderHeading, renderParagraph, renderSection } from '../../present/page.ts';
import { sanitizeLine } from '../../present/terminal.ts';
import { VERDICT_MARKS } from '../../present/words.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { ISSUE_HELP, parseWholeNumber, renderExamples } from '../../program/define-command.ts';

export const ci = daemonCommand(
  () =>
    new Command()
      .description(
        'Show the checks of an issue’s pull request: the state, the link and the end of the log of each.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--check <NAME>', 'Show only this check')
      .option(
        '--lines <N>',
        `Number of log lines to show for each check (default: ${DEFAULT_LOG_LINES}, at most ${MAX_LOG_LINES})`,
        parseWholeNumber('--lines', 1),
      )
      .addHelpText('after', renderExamples('legion ci SHOP-1', 'legion ci SHOP-1 --check unit --lines 200')),
  async ({ positionals: [issue], options }, { daemon }) => {
    const view = await daemon.call(issueActionEndpoints.ci, {
      params: { id: parseIssueId(issue) },
      query: { lines: String(options.lines ?? DEFAULT_LOG_LINES), check: options.check },
    });
    return { data: view, text: renderCiPage(view) };
  },
);

function renderCiPage({ issue, number, sha, says, next, checks, problems }: CiView): string {
  const at = number === null || sha === null ? '' : ` (pull request ${number} at ${sha.slice(0, 10)})`;
  const width = Math.max(0, ...checks.map(({ name }) => measureWidth(name)));
  return [
    renderHeading(`${says.startsWith(`${issue} `) ? says : `${issue}: ${says}`}${at}`),
    next === undefined ? '' : renderParagraph(next),
    renderSection('Checks', checks.map((check) => `  ${renderCheckLine(check, width)}\n`).join('')),
    ...checks.map(renderCheckLog),
    renderSection(
      'Problems in the repository',
      renderBullets(problems.map((each) => `${each.message} [${each.code}]\n${each.next}`)),
    ),
  ].join('');
}

function renderCheckLine({ name, status, url }: CheckView, width: number): string {
  const { mark, style } = CHECK_MARKS[status];
  const words = status.replaceAll('_', ' ');
  return `${styleText(style, mark)} ${padText(sanitizeLine(name), width)}  ${words}  ${sanitizeLine(url ?? '')}`.trimEnd();
}

function renderCheckLog({ name, summary, log, missing }: CheckView): string {
  const parts = [summary, log, log === undefined ? missing : undefined].filter((part) => part !== undefined);
  return renderSection(`End of the ${name} log`, renderBullets(parts));
}

const CHECK_MARKS = {
  passing: VERDICT_MARKS.pass,
  failing: VERDICT_MARKS.fail,
  could_not_run: VERDICT_MARKS.unknown,
  pending: { mark: '…', style: 'yellow' },
} as const;
