/** Data of a legion in the middle of its day, for dashboard tests. */
import { STATUSES } from '../../../src/core/model/status.ts';
import type { DashboardCard, JournalSpan } from '../../../src/protocol/dashboard.ts';
import type { Facts } from './fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function card(id: string, title: string, changes: Partial<DashboardCard> = {}): DashboardCard {
  const status = changes.status ?? 'Todo';
  return {
    id,
    title,
    status,
    column: status,
    labels: [],
    priority: 0,
    since: Date.now() - 20 * MINUTE,
    blockedBy: [],
    worker: null,
    waits: null,
    needsYou: false,
    pullRequest: null,
    spentUsd: 0,
    ...changes,
  };
}

export function worker(
  mode: NonNullable<DashboardCard['worker']>['mode'],
  changes: Partial<NonNullable<DashboardCard['worker']>> = {},
) {
  const now = Date.now();
  return {
    id: `x-${mode}`,
    mode,
    state: 'executing' as const,
    attempt: 1,
    agent: 'claude-code',
    since: now - 4 * MINUTE,
    last: { what: 'npm test -- parser', at: now - 12_000 },
    ...changes,
  };
}

/** Data with an example of everything a board can show. */
export function createBusyDay(): Facts {
  return createFacts([
    card('DEMO-31', 'Dark mode for the invoice preview', {
      status: 'Triage',
      since: Date.now() - 2 * MINUTE,
    }),
    card('DEMO-30', 'Search is slow', {
      status: 'Icebox',
      needsYou: true,
      waits: { says: 'It is unclear what is slow', by: 'person', what: 'Say which search, and how slow.' },
    }),
    card('DEMO-28', 'Export all invoices of a year as one archive', {
      status: 'Backlog',
      priority: 3,
      labels: ['feature', 'export', 'needs-approval'],
      needsYou: true,
      waits: {
        says: 'The specification is waiting for approval',
        by: 'person',
        what: 'legion approve DEMO-28',
      },
      worker: worker('architect', { state: 'finished', last: null }),
      spentUsd: 0.34,
    }),
    card('DEMO-27', 'Rename “customer” to “client” in the public API', {
      status: 'Backlog',
      priority: 4,
      labels: ['breaking'],
      worker: worker('architect', { last: { what: 'Read src/api/routes.ts', at: Date.now() - 3_000 } }),
      spentUsd: 0.08,
    }),
    card('DEMO-25', 'Round half to even in tax sums', {
      status: 'Todo',
      priority: 1,
      labels: ['bug', 'money'],
      worker: worker('plan', {
        since: Date.now() - 40_000,
        last: { what: 'Grep roundHalf', at: Date.now() - 1_000 },
      }),
      spentUsd: 0.12,
    }),
    card('DEMO-24', 'Retry webhooks with backoff', {
      status: 'Todo',
      priority: 2,
      labels: ['feature'],
      blockedBy: ['DEMO-21'],
      waits: { says: 'Blocked by DEMO-21', by: 'event', what: 'It continues when DEMO-21 is done.' },
    }),
    card(
      'DEMO-21',
      'A queue for outgoing webhooks that survives a restart of the server and keeps their order',
      {
        status: 'In Progress',
        priority: 2,
        labels: ['feature', 'infra', 'queue', 'webhooks'],
        worker: worker('implement', { attempt: 2 }),
        pullRequest: { number: 47, state: 'open', ci: 'pending', review: 'none' },
        spentUsd: 2.41,
      },
    ),
    card('DEMO-20', 'Invoice numbers skip after a failed payment', {
      status: 'In Progress',
      priority: 1,
      labels: ['bug', 'user-input-needed'],
      needsYou: true,
      worker: worker('implement', { state: 'waiting-user', since: Date.now() - 26 * MINUTE, last: null }),
      waits: {
        says: 'Asks: may numbers of cancelled invoices be reused?',
        by: 'person',
        what: 'legion answer DEMO-20',
      },
      spentUsd: 1.07,
    }),
    card('DEMO-19', 'Typing in the search box loses letters', {
      status: 'Testing',
      labels: ['bug'],
      worker: worker('test', {
        last: { what: 'npx playwright test search.spec.ts --repeat-each 20', at: Date.now() - 31_000 },
      }),
      pullRequest: { number: 46, state: 'open', ci: 'passing', review: 'none' },
      spentUsd: 0.92,
    }),
    card('DEMO-18', 'Show a total below the table', {
      status: 'Testing',
      labels: ['feature', 'test-failed', 'legion-paused'],
      needsYou: true,
      worker: worker('test', { state: 'paused', attempt: 2, last: null }),
      waits: { says: 'Paused after two crashes', by: 'person', what: 'legion reset-crashes DEMO-18' },
      pullRequest: { number: 44, state: 'open', ci: 'failing', review: 'none' },
      spentUsd: 3.6,
    }),
    card('DEMO-17', 'Say which field of the form is wrong', {
      status: 'Needs Review',
      labels: ['test-passed'],
      worker: worker('review', { state: 'waiting-quota', last: null }),
      waits: {
        says: 'Waiting for the provider’s quota until 15:00',
        by: 'time',
        what: 'It continues automatically.',
      },
      pullRequest: { number: 43, state: 'open', ci: 'passing', review: 'none' },
      spentUsd: 1.15,
    }),
    card('DEMO-15', 'Cache exchange rates for an hour', {
      status: 'Retro',
      labels: ['chore', 'test-passed'],
      worker: worker('merge', { state: 'spawned', since: Date.now() - 2_000, last: null }),
      pullRequest: { number: 41, state: 'open', ci: 'passing', review: 'approved' },
      spentUsd: 1.88,
    }),
    ...Array.from({ length: 11 }, (_, index) =>
      card(`DEMO-${index + 1}`, `${DONE[index % DONE.length]}`, {
        status: 'Done',
        since: Date.now() - (index + 1) * HOUR,
        labels: index % 3 === 0 ? ['auto-merged'] : [],
        worker: worker('merge', { state: 'finished', last: null }),
        pullRequest: { number: 20 + index, state: 'merged', ci: 'passing', review: 'approved' },
        spentUsd: 0.7 + index / 7,
      }),
    ),
  ]);
}

const DONE = [
  'Log in with a passkey',
  'Sort customers by name',
  'Fix the date in the footer',
  'Print without the sidebar',
  'Upgrade the PDF library',
];

export function createFacts(cards: DashboardCard[]): Facts {
  const now = Date.now();
  const facts: Facts = {
    cards,
    session: {
      legion: 'invoices',
      backend: 'local',
      ownBoard: true,
      statuses: STATUSES.map((status) => ({ status, column: status })),
    },
    health: {
      ok: true,
      legion: 'invoices',
      version: '0.1.0',
      pid: 4242,
      startedAt: now - 5 * HOUR,
      epoch: 3,
      journalVersion: 1_840,
      backend: 'local',
      forge: 'local',
      host: 'workbench',
      workers: { live: 6, waiting: 2, limit: 10 },
      starts: { allowed: true },
      autoAdvance: true,
      troubles: [],
    },
    inbox: cards
      .filter(({ needsYou }) => needsYou)
      .map(({ id, title }) => ({
        kind: 'question' as const,
        issue: id,
        title,
        text: 'What now?',
        since: now - 10 * MINUTE,
        next: `legion answer ${id} TEXT`,
      })),
    span: createSpan(now),
    past: (at) =>
      facts.cards
        .filter((_, index) => index % 3 !== Math.floor(at / HOUR) % 3)
        .map((each) => ({ ...each, needsYou: false })),
  };
  return facts;
}

function createSpan(now: number): JournalSpan {
  const from = now - 8 * HOUR;
  const parts = Array.from({ length: 96 }, (_, index) => ({
    from: from + index * 5 * MINUTE,
    count: index > 30 && index < 45 ? 0 : Math.round(20 + 18 * Math.sin(index / 3) + (index % 7)),
  }));
  return { first: { version: 1, at: from }, last: { version: 1_840, at: now }, parts };
}
