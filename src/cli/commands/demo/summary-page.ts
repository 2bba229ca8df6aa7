/** The summary of a demo for people: a table of the issues, the tests, and where to look now. */
import type { DemoPlace } from '../../../demo/lay-out.ts';
import type { IssueSummary, Summary } from '../../../demo/summary.ts';
import { bullets, heading } from '../../present/page.ts';
import { type Cell, table } from '../../present/table.ts';

/** As git shows a commit to people. */
const SHORT_SHA = 7;

export function summaryPage(summary: Summary, place: DemoPlace, removed: boolean): string {
  const { issues, tests, durationMs, ok } = summary;
  const done = issues.filter(({ status }) => status === 'Done').length;
  const verdict = tests === undefined ? 'not run' : tests.passed ? 'pass' : 'fail';
  return [
    '\n',
    table(['issue', 'status', 'phases', 'attempts', 'time', 'merged', 'by', 'title'], issues.map(row)),
    '\n',
    heading(`${done} of ${issues.length} issues are Done after ${seconds(durationMs)}`),
    bullets([`tests of the sample project on its main branch: ${verdict}`]),
    removed ? bullets([`${summary.folder} is removed`]) : `\n${whereToLook(summary, place)}`,
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

function whereToLook({ kept }: Summary, { folder, repository, command }: DemoPlace): string {
  const legion = word(command);
  const first = kept ? [] : [`${legion} up                 # the daemon has ended; this starts it again`];
  const last = kept ? [`${legion} down               # ends the daemon; then remove ${folder}`] : [];
  return [
    heading('Where to look'),
    bullets([
      `git -C ${word(repository)} log --oneline`,
      ...first,
      `${legion} explain DEMO-6     # a worker that crashed and was respawned`,
      `${legion} issue show DEMO-3  # the issue that was clarified`,
      `${legion} gates DEMO-1       # what a merge needs`,
      `${legion} logs DEMO-4 --mode test`,
      ...last,
    ]),
    kept ? '' : bullets([`everything is in ${folder}; remove it when you have seen enough`]),
  ].join('');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)}s`;
}

/** Quoted where a shell would take it apart. */
function word(path: string): string {
  return /^[\w./@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
