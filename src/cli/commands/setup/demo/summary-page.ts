/**
 * Renders the demo's summary: a table of the issues, the test result and what to inspect next. Also
 * decides whether the demo succeeded.
 */

import { LegionError } from '../../../../core/model/fault.ts';
import type { DemoSummary, IssueSummary } from '../../../../demo/summary.ts';
import { renderBullets, renderHeading } from '../../../present/page.ts';
import { renderTable, type TableCell } from '../../../present/table.ts';
import type { DemoResult } from './run.ts';

/** Git's usual abbreviation. */
const SHORT_SHA = 7;

const SUMMARY_HEAD = ['issue', 'status', 'phases', 'attempts', 'time', 'merged', 'by', 'title'];

export function renderSummaryPage(summary: DemoSummary, removed: boolean, columns: number): string {
  const { issues, tests, durationMs, ok } = summary;
  const done = issues.filter(({ status }) => status === 'Done').length;
  const verdict = tests === undefined ? 'not run' : tests.passed ? 'pass' : 'fail';
  return [
    '\n',
    renderTable(SUMMARY_HEAD, issues.map(renderSummaryRow), columns),
    '\n',
    renderHeading(`${done} of ${issues.length} issues are Done after ${formatSeconds(durationMs)}`),
    renderBullets([`tests of the sample project on its main branch: ${verdict}`]),
    removed ? renderBullets([`${summary.folder} was removed`]) : `\n${renderWhereToLook(summary)}`,
    ok ? '' : '\n',
  ].join('');
}

function renderSummaryRow(issue: IssueSummary): TableCell[] {
  const { id, status, phases, attempts, durationMs, mergedSha, merge, title } = issue;
  return [
    id,
    { text: status, style: status === 'Done' ? 'green' : 'red' },
    phases.join(' '),
    String(attempts),
    durationMs === null ? '–' : formatSeconds(durationMs),
    mergedSha?.slice(0, SHORT_SHA) ?? '–',
    merge === null ? '–' : merge === 'person' ? 'you' : 'gate',
    title,
  ];
}

function renderWhereToLook({ look, log, folder, kept }: DemoSummary): string {
  const width = Math.max(...look.map(({ command }) => command.length));
  return [
    renderHeading('Where to look'),
    renderBullets([
      ...look.map(({ command, why }) => `${command.padEnd(width)}  # ${why}`),
      `${log}: the daemon’s log`,
      ...(kept ? [] : [`all files are in ${folder}; remove it when you are done`]),
    ]),
  ].join('');
}

function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)}s`;
}

/**
 * Throws unless every issue is Done, the sample project's tests pass on its main branch, and the
 * board is as expected. The result decides the demo's exit code.
 */
export function assertDemoSucceeded(
  { summary, unfinished, differs }: DemoResult,
  withinMs: number,
): undefined {
  const { ok, tests, folder } = summary;
  if (ok) return undefined;
  if (unfinished.length > 0) {
    const lines = [`The demo in ${folder} did not finish within ${withinMs / 1_000} s:`, ...unfinished];
    throw new LegionError('demo.unfinished', lines.join('\n'));
  }
  if (tests?.passed === true && differs.length > 0)
    throw new LegionError(
      'demo.board_differs',
      [`The board of the demo in ${folder} differs from what is expected:`, ...differs].join('\n'),
    );
  if (tests?.passed === true)
    throw new LegionError(
      'demo.unfinished',
      `In the demo in ${folder}, an issue reached Done but was then moved out of it.`,
    );
  throw new LegionError(
    'demo.tests_failed',
    `Tests failed at ${tests?.sha} in ${folder}: ${tests?.output ?? 'not run'}`,
  );
}
