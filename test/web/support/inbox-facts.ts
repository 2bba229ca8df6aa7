/** Data of a legion whose inbox has an item of every kind. */
import type {
  GatesView,
  HandoffsAnswer,
  InboxItem,
  IssueExplanation,
} from '../../../src/protocol/operator.ts';
import type { RepositoryCommands } from '../../../src/protocol/repository.ts';
import { card, createFacts, worker } from './facts.ts';
import type { Facts } from './fixture.ts';
import { createWorker, createWorkerStatus } from './fleet-facts.ts';

const MINUTE = 60_000;

/** Returns an inbox in which an answered item disappears, as in a daemon. */
export function createFullInbox(): Facts {
  const facts = createFacts([
    card('DEMO-20', 'Invoice numbers skip after a failed payment', { status: 'In Progress', needsYou: true }),
    card('DEMO-28', 'Export all invoices of a year as one archive', { status: 'Backlog', needsYou: true }),
    card('DEMO-15', 'Cache exchange rates for an hour', { status: 'Retro', needsYou: true }),
    card('DEMO-18', 'Show a total below the table', { status: 'Testing', needsYou: true }),
    card('DEMO-21', 'A queue for outgoing webhooks', { status: 'In Progress', worker: worker('implement') }),
  ]);
  facts.inbox = items();
  facts.answerRoute = (route, _query, body) => answerRoute(facts, route, body);
  return facts;
}

function items(): InboxItem[] {
  const now = Date.now();
  return [
    item('approval', 'DEMO-15', 'Cache exchange rates for an hour', {
      text: 'The merge is waiting for a person',
      since: now - 3 * MINUTE,
      approves: 'merge',
      next: 'legion approve DEMO-15',
    }),
    item('approval', 'DEMO-28', 'Export all invoices of a year as one archive', {
      text: 'The specification is waiting for approval',
      since: now - 190 * MINUTE,
      approves: 'specification',
      next: 'legion approve DEMO-28',
    }),
    item('question', 'DEMO-22', 'Send reminders for unpaid invoices', {
      text: 'plan asks: After how many days? The terms say 14, the old job used 10.',
      since: now - 4 * MINUTE,
      question: 1,
      mode: 'plan',
      next: 'legion answer DEMO-22 --question 1 "…"',
    }),
    item('question', 'DEMO-20', 'Invoice numbers skip after a failed payment', {
      text: 'implement asks: May numbers of cancelled invoices be reused?\n\nSome countries forbid gaps, others forbid reuse. I found no setting for the country.',
      since: now - 26 * MINUTE,
      question: 2,
      mode: 'implement',
      next: 'legion answer DEMO-20 --question 2 "…"',
    }),
    item('paused', 'DEMO-18', 'Show a total below the table', {
      text: 'Its test worker crashed twice within ten minutes.',
      since: now - 41 * MINUTE,
      ci: {
        check: 'unit',
        sha: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
        log: 'ok 1 - an empty table\nnot ok 2 - <b>the total</b> is below the table',
      },
      next: 'legion resume DEMO-18',
    }),
    item('escalation', 'DEMO-14', 'Upgrade the PDF library', {
      text: 'A check has been running for 3 hours.',
      since: now - 180 * MINUTE,
      next: 'legion explain DEMO-14',
    }),
    item('clarification', 'DEMO-30', 'Search is slow', {
      text: 'It is not clear enough to work on: which search, and how slow is slow?',
      since: now - 60 * MINUTE,
      next: 'legion issue show DEMO-30; legion issue comment DEMO-30 "…"',
    }),
    item('worker', 'DEMO-19', 'Is demo-19-test still running?', {
      mode: 'test',
      text: 'It has been silent for 34m, but its process is running.',
      since: now - 4 * MINUTE,
      next: 'legion logs DEMO-19 test; legion stop DEMO-19 test if it is stuck',
    }),
    item('commands', null, 'The repository invoices asks for approval of its commands and prompts', {
      repo: 'invoices',
      text: 'install: npm ci\nprompt plan',
      since: now - 300 * MINUTE,
      next: 'legion approve --commands',
    }),
    item('message', 'DEMO-9', 'A message to demo-9-review could not be delivered: the worker has ended', {
      mode: 'review',
      text: 'Look at the rounding again, please.',
      since: now - 500 * MINUTE,
      next: 'legion prompt DEMO-9 --mode review "…"',
    }),
  ];
}

export function item(
  kind: InboxItem['kind'],
  issue: string | null,
  title: string,
  rest: Omit<InboxItem, 'kind' | 'issue' | 'title'>,
): InboxItem {
  return { kind, issue, title, ...rest };
}

function answerRoute(facts: Facts, route: string, body: unknown): unknown {
  const [, issue = '', verb = ''] =
    /^POST \/issues\/([^/]+)\/(answer|approve|resume|comments)$/.exec(route) ?? [];
  const kinds = {
    answer: 'question',
    approve: 'approval',
    resume: 'paused',
    comments: 'clarification',
  } as const;
  if (verb in kinds) {
    settle(facts, (each) => each.issue === issue && each.kind === kinds[verb as keyof typeof kinds]);
    return { says: SAYS[verb as keyof typeof kinds](issue) };
  }
  switch (route) {
    case 'GET /issues/DEMO-15/gates':
      return GATES;
    case 'GET /issues/DEMO-28/handoffs':
      return HANDOFFS;
    case 'GET /issues/DEMO-18/explain':
      return explanation();
    case 'GET /workers/demo-19-test/status':
      return createWorkerStatus(createWorker('DEMO-19', 'test'), 'suspicious');
    case 'GET /repositories/commands':
      return [COMMANDS];
    case 'POST /repositories/commands/approve':
      settle(facts, ({ kind }) => kind === 'commands');
      return { says: 'The commands of invoices are approved.' };
    case 'DELETE /workers/demo-19-test':
      settle(facts, ({ kind }) => kind === 'worker');
      return { says: 'demo-19-test has been asked to stop.' };
    case 'POST /workers/demo-9-review/prompt':
      settle(facts, ({ kind }) => kind === 'message');
      return { delivery: 'delivered', message: 4, says: 'demo-9-review continues with this now.' };
    case 'POST /resume':
      settle(facts, ({ kind, issue: about }) => kind === 'paused' && about === null);
      return { says: 'Workers can start again.' };
    default:
      return body === undefined && /^GET \/issues\/[^/]+\/handoffs$/.test(route)
        ? { handoffs: {} }
        : undefined;
  }
}

const SAYS = {
  answer: (issue: string) => `The question of ${issue} is answered; its worker continues.`,
  approve: (issue: string) => `${issue} is approved and continues.`,
  resume: (issue: string) => `${issue} continues; its rounds, crashes and budgets are reset.`,
  comments: (issue: string) => `Commented on ${issue}.`,
} as const;

function settle(facts: Facts, isSettled: (each: InboxItem) => boolean): void {
  facts.inbox = facts.inbox.filter((each) => !isSettled(each));
}

const GATES: GatesView = {
  issue: 'DEMO-15',
  headSha: '8f3a12c9d0b7e64f',
  preMerge: [
    { name: 'names_issue', verdict: 'pass', evidence: 'namesIssue=true' },
    { name: 'ci_green', verdict: 'pass', evidence: 'ci=passing' },
    { name: 'review_approved', verdict: 'pass', evidence: 'review=approved' },
    { name: 'tests_passed', verdict: 'pass', evidence: 'evidence.test=pass at 8f3a12c9' },
    { name: 'retro_done', verdict: 'pass', evidence: 'evidence.retro=pass' },
    { name: 'no_open_question', verdict: 'pass', evidence: 'user-input-needed=false' },
    { name: 'mergeable', verdict: 'unknown', evidence: 'mergeable=unknown' },
  ],
  autoMerge: { allowed: false, conditions: [] },
  verdict: 'unknown',
};

const HANDOFFS: HandoffsAnswer = {
  handoffs: {
    architect: {
      summary:
        'One archive for a year, built in the background and kept for a week.\nThe page shows its progress.',
      decided: ['ZIP, because accountants open it everywhere', 'No streaming: archives stay below 200 MB'],
      done: [],
      left: ['A job that builds it', 'A page that offers it'],
      files: ['src/export/archive.ts', 'src/pages/exports.tsx'],
      tests: ['an archive of 1,000 invoices in under a minute'],
    },
  },
};

const COMMANDS: RepositoryCommands = {
  repo: 'invoices',
  fingerprint: '5d41402abc4b2a76b9719d911017c592',
  approved: false,
  commands: {
    install: ['npm', 'ci'],
    qualityGate: ['npm', 'run', 'check', '--', '--reporter=the short one'],
  },
  prompts: { plan: 'You plan with care.\nNever touch the ledger.' },
};

function explanation(): IssueExplanation {
  const now = Date.now();
  return {
    state: {
      id: 'DEMO-18',
      title: 'Show a total below the table',
      status: 'Testing',
      labels: ['legion-paused'],
      hasPr: true,
      prReviewState: null,
      ciStatus: 'failing',
      mergeableStatus: null,
      prIsDraft: false,
      prLabels: [],
      blockedQuestion: null,
      hasLiveWorker: false,
      workerMode: 'test',
      workerStatus: 'paused',
      suggestedAction: 'skip',
      sessionId: 'x',
      hasUserFeedback: false,
      blockedByIds: [],
      isBlocked: false,
      source: {},
      reason: 'paused',
      says: 'It is paused, because its test worker crashed too often.',
      evidence: ['label=legion-paused', 'crashes=2'],
      until: { by: 'person', what: 'legion resume DEMO-18' },
    },
    since: now - 41 * MINUTE,
    rounds: {},
    workers: [
      createWorkerStatus(
        createWorker('DEMO-18', 'test', { status: 'paused', attempt: 2, crashes: 2 }),
        'ended',
      ),
    ],
    spent: { wallMs: 900_000, turns: 12, tokens: 120_000, usd: 3.6 },
    openIntents: [],
    waitingMessages: [],
    openQuestions: [],
    history: [
      { at: now - 52 * MINUTE, what: 'test, attempt 1, died with exit code 137' },
      { at: now - 41 * MINUTE, what: 'test, attempt 2, died with exit code 137; the issue is paused' },
    ],
  };
}
