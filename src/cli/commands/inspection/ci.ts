/** `legion ci`: the checks of an issue's pull request, and what they printed last. */

import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { type CheckView, type CiView, DEFAULT_LOG_LINES, MAX_LOG_LINES } from '../../../protocol/ci.ts';
import { issueActionEndpoints } from '../../../protocol/endpoints/issue-actions.ts';
import { parseIssueId } from '../../parse-names.ts';
import { measureWidth, padTo } from '../../present/fit.ts';
import { bullets, heading, paragraph, section } from '../../present/page.ts';
import { safeLine } from '../../present/safe.ts';
import { VERDICT_MARKS } from '../../present/words.ts';
import { daemonCommand } from '../../program/daemon-command.ts';
import { examples, ISSUE_HELP, parseWholeNumber } from '../../program/options.ts';

export const ci = daemonCommand(
  () =>
    new Command()
      .description(
        'Show each check at the head of the pull request of an issue: its state, its link and the end of its log.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .option('--check <NAME>', 'Show only this check')
      .option(
        '--lines <N>',
        `Lines of each log (default: ${DEFAULT_LOG_LINES}, at most ${MAX_LOG_LINES})`,
        parseWholeNumber('--lines', 1),
      )
      .addHelpText('after', examples('legion ci SHOP-1', 'legion ci SHOP-1 --check unit --lines 200')),
  async ({ positionals: [issue], options }, { daemon }) => {
    const view = await daemon.call(issueActionEndpoints.ci, {
      params: { id: parseIssueId(issue) },
      query: { lines: String(options.lines ?? DEFAULT_LOG_LINES), check: options.check },
    });
    return { data: view, text: page(view) };
  },
);

function page({ issue, number, sha, says, next, checks, problems }: CiView): string {
  const at = number === null || sha === null ? '' : ` (pull request ${number} at ${sha.slice(0, 10)})`;
  const width = Math.max(0, ...checks.map(({ name }) => measureWidth(name)));
  return [
    heading(`${says.startsWith(`${issue} `) ? says : `${issue}: ${says}`}${at}`),
    next === undefined ? '' : paragraph(next),
    section('Checks', checks.map((check) => `  ${line(check, width)}\n`).join('')),
    ...checks.map(logOf),
    section(
      'Problems of the repository',
      bullets(problems.map((each) => `${each.message} [${each.code}]\n${each.next}`)),
    ),
  ].join('');
}

function line({ name, status, url }: CheckView, width: number): string {
  const { mark, style } = MARKS[status];
  const words = status.replaceAll('_', ' ');
  return `${styleText(style, mark)} ${padTo(safeLine(name), width)}  ${words}  ${safeLine(url ?? '')}`.trimEnd();
}

function logOf({ name, summary, log, missing }: CheckView): string {
  const parts = [summary, log, log === undefined ? missing : undefined].filter((part) => part !== undefined);
  return section(`The end of the log of ${name}`, bullets(parts));
}

const MARKS = {
  passing: VERDICT_MARKS.pass,
  failing: VERDICT_MARKS.fail,
  could_not_run: VERDICT_MARKS.unknown,
  pending: { mark: '…', style: 'yellow' },
} as const;
