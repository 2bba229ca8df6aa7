/** A legion in the middle of its day, for pictures: something of everything a dashboard has to show, and none of it ends by itself. */
import type { NewIssueRequest } from '../../../src/protocol/board.ts';
import type { Explanation } from '../../../src/protocol/operator.ts';
import { MERGING } from '../../e2e/support/legion.ts';
import { until } from '../../support/running-daemon.ts';
import { type Stage, stage } from './dashboard-legion.ts';

/** Longer than any test. */
const AT_IT = { think: '30m' };
/** What is waited for takes seconds on a quiet machine. */
const THERE_WITHIN_MS = 120_000;

const body =
  'Customers ask for it every week. It should work as in the old shop.\n\nAcceptance criteria:\n- [ ] it does what the title says\n- [ ] it is tested';

/** The rules below know them by their titles; `DEMO-6` is the sixth. */
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
  { title: 'Keep the basket over night', body, labels: ['fix'], status: 'Done' },
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
      AT_IT,
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
    steps: [SPENT, { run: ['git', 'log', '--oneline', '-3'] }, AT_IT],
  },
  { title: 'Show the stock', phase: 'architect', steps: [{ say: 'Reading the data model.' }, AT_IT] },
  {
    title: 'Search finds',
    phase: 'review',
    steps: [SPENT, { run: ['git', 'diff', 'main', '--stat'] }, AT_IT],
  },
];

/** Call once at the top of a suite. */
export function busyStage(): Stage {
  return stage({
    yaml: 'approvals: { architect: auto, merge: required }\n',
    files: MERGING,
    scenario: RULES,
  });
}

export interface BusyDay {
  readonly asking: string;
  readonly working: string;
}

/** Puts the issues on the board; resolves when each is where it stays. */
export async function beginDay(house: Stage): Promise<BusyDay> {
  const ids = new Map<string, string>();
  for (const issue of ISSUES) ids.set(issue.title ?? '', await house.add(issue));
  const idOf = (part: string) => [...ids].find(([title]) => title.startsWith(part))?.[1] ?? '';
  const labelled = (part: string, label: string) =>
    until(
      () => house.daemon.get<{ issue: { labels: string[] } }>(`/issues/${idOf(part)}`),
      ({ issue }) => issue.labels.includes(label),
      THERE_WITHIN_MS,
    );
  const worked = (part: string, mode: string) =>
    until(
      () => house.daemon.get<Explanation>(`/issues/${idOf(part)}/explain`),
      ({ workers }) => workers.some((worker) => worker.mode === mode && worker.status === 'executing'),
      THERE_WITHIN_MS,
    );
  await labelled('Export', 'needs-approval');
  await labelled('Pay by', 'needs-approval');
  await house.daemon.post(`/issues/${idOf('Pay by')}/approve`);
  await labelled('Remember', 'user-input-needed');
  await worked('Round', 'implement');
  await worked('Mail', 'test');
  await worked('Search', 'review');
  await until(
    () => house.daemon.get<{ issue: { status: string } }>(`/issues/${idOf('Pay by')}`),
    ({ issue }) => issue.status === 'Done',
    THERE_WITHIN_MS,
  );
  return { asking: idOf('Remember'), working: idOf('Round') };
}
