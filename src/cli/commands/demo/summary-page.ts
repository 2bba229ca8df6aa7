/** The summary of a demo for people: a table of the issues, the tests, and where to look now. */
import type { IssueSummary, Summary } from '../../../demo/summary.ts';
import { bullets, heading } from '../../present/page.ts';
import { type Cell, table } from '../../present/table.ts';

/** As git shows a commit to people. */
const SHORT_SHA = 7;

const HEAD = ['issue', 'status', 'phases', 'attempts', 'time', 'merged', 'by', 'title'];

export function summaryPage(summary: Summary, removed: boolean, columns: number): string {
  const { issues, tests, durationMs, ok } = summary;
  const done = issues.filter(({ status }) => status === 'Done').length;
  const verdict = tests === undefined ? 'not run' : tests.passed ? 'pass' : 'fail';
  return [
    '\n',
    table(HEAD, issues.map(row), columns),
    '\n',
    heading(`${done} of ${issues.length} issues are Done after ${seconds(durationMs)}`),
    bullets([`tests of the sample project on its main branch: ${verdict}`]),
    removed ? bullets([`${summary.folder} is removed`]) : `\n${whereToLook(summary)}`,
    ok ? '' : '\n',
  ].join('');
}

function row(issue: IssueSummary): Cell[] {
  const { id, status, phases, attempts, durationMs, mergedSha, merge, title } = issue;
  return [
    id,
    { text: status, style: status === 'Done' ? 'green' : 'red' },
    phases.join(' '),
    String(attempts),
    durationMs === null ? '–' : seconds(durationMs),
    mergedSha?.slice(0, SHORT_SHA) ?? '–',
    merge === null ? '–' : merge === 'person' ? 'you' : 'gate',
    title,
  ];
}

function whereToLook({ look, log, folder, kept }: Summary): string {
  const width = Math.max(...look.map(({ command }) => command.length));
  return [
    heading('Where to look'),
    bullets([
      ...look.map(({ command, why }) => `${command.padEnd(width)}  # ${why}`),
      `${log}: what the daemon wrote`,
      ...(kept ? [] : [`everything is in ${folder}; remove it when you have seen enough`]),
    ]),
  ].join('');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)}s`;
}
