/**
 * A legion in the middle of its day, for screenshots: an example of everything a dashboard can
 * show, in a stable state.
 */
import type { NewIssueRequest } from '../../../src/protocol/board.ts';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import { AUTO_MERGE_FILES } from '../../e2e/support/legion.ts';
import { until } from '../../support/running-daemon.ts';
import { type DashboardSuite, setUpDashboard } from './dashboard-legion.ts';

/** Keeps a worker busy for longer than any test. */
const KEEP_THINKING = { think: '30m' };
/** Maximum wait for a condition. On an idle machine, each condition is met within seconds. */
const MAX_WAIT_MS = 120_000;

const body =
  'Customers ask for it every week. It should work as in the old shop.\n\nAcceptance criteria:\n- [ ] it does what the title says\n- [ ] it is tested';

/** The rules below match issues by title. `DEMO-6` is the sixth in this list. */
const ISSUES: readonly Partial<NewIssueRequest>[] = [
  { title: 'Export orders as CSV', body, labels: ['chore'], priority: 2, status: 'Backlog' },
  { title: 'Round prices per line, not per order', body, labels: ['bug'], priority: 1, status: 'Backlog' },
  { title: 'Remember the filter of the order list', body, labels: ['feature'], status: 'Backlog' },
  { title: 'Refuse an order without an address', body, labels: ['bug'], priority: 1, status: 'Backlog' },
  {
    title: 'Mail a receipt when an order is paid',
    body,
    labels: ['feature'],
    priority: 3,
    status: 'Backlog',
  },
  { title: 'Show the stock beside each product', body, labels: ['feature'], priority: 2, status: 'Backlog' },
  { title: 'Search finds words without accents', body, labels: ['fix'], priority: 3, status: 'Backlog' },
  { title: 'Pay by invoice', body, labels: ['feature'], priority: 2, status: 'Backlog' },
  { title: 'Make it nicer', body: 'It is ugly.', status: 'Triage' },
  {
    title: 'Warn when the stock is low',
    body,
    labels: ['feature'],
    status: 'Backlog',
    blockedBy: ['DEMO-6'],
  },
  { title: 'Gift cards', body, labels: ['feature'], priority: 4, status: 'Icebox' },
  { title: 'Log in with a passkey', body, labels: ['feature'], status: 'Done' },
  { title: 'Ship to Norway', body, labels: ['chore'], status: 'Done' },
  { title: 'Keep the basket overnight', body, labels: ['fix'], status: 'Done' },
];

const SPENT = { usage: { in: 48_200, out: 3_100, usd: 0.41 } };

const RULES: readonly object[] = [
  {
    title: 'Round prices',
    phase: 'implement',
    steps: [
      { say: 'The rounding happens in two places: the basket and the invoice. Both will use one function.' },
      {
        write: {
          path: 'src/price.ts',
          content: 'export const roundLine = (cents: number) => Math.round(cents);\n',
        },
      },
      { run: ['git', 'status', '--short'] },
      {
        checkpoint: {
          stage: 'tests are next',
          completed: ['one function'],
          remaining: ['tests'],
          lastAction: 'wrote src/price.ts',
        },
      },
      SPENT,
      { run: ['git', 'diff', '--stat'] },
      KEEP_THINKING,
    ],
  },
  {
    title: 'Remember the filter',
    phase: 'plan',
    steps: [SPENT, { ask: 'Should the filter be remembered per person or per browser?' }],
  },
  { title: 'Refuse an order', phase: 'implement', steps: [{ say: 'Reading the form.' }, { crash: 1 }] },
  {
    title: 'Mail a receipt',
    phase: 'test',
    steps: [SPENT, { run: ['git', 'log', '--oneline', '-3'] }, KEEP_THINKING],
  },
  { title: 'Show the stock', phase: 'architect', steps: [{ say: 'Reading the data model.' }, KEEP_THINKING] },
  {
    title: 'Search finds',
    phase: 'review',
    steps: [SPENT, { run: ['git', 'diff', 'main', '--stat'] }, KEEP_THINKING],
  },
];

/** Call once at the top of a suite. */
export function setUpBusyLegion(): DashboardSuite {
  return setUpDashboard({
    yaml: 'approvals: { architect: auto, merge: required }\n',
    files: AUTO_MERGE_FILES,
    scenario: RULES,
  });
}

export interface BusyDay {
  readonly asking: string;
  readonly working: string;
}

/** Adds the issues to the board. Resolves when each has reached its final state. */
export async function startBusyDay(suite: DashboardSuite): Promise<BusyDay> {
  const ids = new Map<string, string>();
  for (const issue of ISSUES) ids.set(issue.title ?? '', await suite.add(issue));
  const idOf = (part: string) => [...ids].find(([title]) => title.startsWith(part))?.[1] ?? '';
  const labelled = (part: string, label: string) =>
    until(
      () => suite.daemon.get<{ issue: { labels: string[] } }>(`/issues/${idOf(part)}`),
      ({ issue }) => issue.labels.includes(label),
      MAX_WAIT_MS,
    );
  const worked = (part: string, mode: string) =>
    until(
      () => suite.daemon.get<IssueExplanation>(`/issues/${idOf(part)}/explain`),
      ({ workers }) => workers.some((worker) => worker.mode === mode && worker.status === 'executing'),
      MAX_WAIT_MS,
    );
  await labelled('Export', 'needs-approval');
  await labelled('Pay by', 'needs-approval');
  await suite.daemon.post(`/issues/${idOf('Pay by')}/approve`);
  await labelled('Remember', 'user-input-needed');
  await worked('Round', 'implement');
  await worked('Mail', 'test');
  await worked('Search', 'review');
  await until(
    () => suite.daemon.get<{ issue: { status: string } }>(`/issues/${idOf('Pay by')}`),
    ({ issue }) => issue.status === 'Done',
    MAX_WAIT_MS,
  );
  return { asking: idOf('Remember'), working: idOf('Round') };
}
