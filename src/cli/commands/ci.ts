/** `legion ci`: the checks of an issue's pull request, and what they printed last. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import {
  type CheckView,
  type CiView,
  ciSchema,
  DEFAULT_LOG_LINES,
  MAX_LOG_LINES,
} from '../../protocol/ci.ts';
import { wholeNumber } from '../arguments.ts';
import { route } from '../daemon-client.ts';
import { parseIssueId } from '../parse-names.ts';
import { padTo } from '../present/fit.ts';
import { bullets, heading, paragraph, section } from '../present/page.ts';
import { safeLine } from '../present/safe.ts';
import { VERDICT_MARKS } from '../present/words.ts';
import { daemonCommand } from '../program/daemon-command.ts';

export const ci = daemonCommand(
  {
    name: 'ci',
    says: 'Shows each check at the head of the issue’s pull request, with its state, its link and the end of its log.',
    takes: { issue: 'one' },
    options: {
      check: { value: 'NAME', says: 'only this check' },
      lines: {
        value: 'N',
        says: `lines of each log; default: ${DEFAULT_LOG_LINES}, at most ${MAX_LOG_LINES}`,
      },
    },
  },
  async ({ issue, options }, { daemon }) => {
    const lines = options.lines === undefined ? DEFAULT_LOG_LINES : wholeNumber('--lines', options.lines, 1);
    const query = new URLSearchParams({ lines: String(lines) });
    if (options.check !== undefined) query.set('check', options.check);
    const path = `${route`/issues/${parseIssueId(issue)}/ci`}?${query}`;
    const view = await daemon.request('GET', path, ciSchema);
    return { data: view, text: page(view) };
  },
);

function page({ issue, number, sha, says, next, checks, problems }: CiView): string {
  const at = number === null || sha === null ? '' : ` (pull request ${number} at ${sha.slice(0, 10)})`;
  const width = Math.max(0, ...checks.map(({ name }) => stringWidth(name)));
  return [
    heading(`${issue}: ${says}${at}`),
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
