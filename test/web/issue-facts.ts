/** One issue with some of everything its page can show. */
import type { CommentView, IssueView, PullRequestView } from '../../src/protocol/board.ts';
import type { Attempt, Diff, StoryEntry } from '../../src/protocol/dashboard.ts';
import type {
  AdvanceAnswer,
  Explanation,
  GatesView,
  HandoffsAnswer,
  WorkerStatusView,
  WorkerView,
} from '../../src/protocol/operator.ts';
import { busyDay } from './facts.ts';
import type { Facts } from './fixture.ts';
import { agentLog } from './issue-log.ts';

const MINUTE = 60_000;
/** Bytes of one answer, as the daemon has it. */
const ANSWER_MOST_BYTES = 256 * 1_024;

export interface IssueFacts {
  issue: IssueView;
  comments: CommentView[];
  pullRequest: PullRequestView | null;
  workers: WorkerView[];
  explanation: Explanation;
  story: StoryEntry[];
  gates: GatesView;
  handoffs: HandoffsAnswer['handoffs'];
  attempts: Attempt[];
  diff: Diff;
  advance: AdvanceAnswer;
  /** By worker, attempt and stream: `demo-21-implement 2 out`. */
  logs: Record<string, string>;
}

export const ID = 'DEMO-21';

/** A legion in which somebody looks at this issue. */
export function dayOf(of: IssueFacts): Facts {
  return { ...busyDay(), answers: (route, query) => answerOf(of, route, query) };
}

function answerOf(of: IssueFacts, route: string, query: URLSearchParams): unknown {
  const { issue, comments, pullRequest, workers } = of;
  const [, worker] = /^GET \/workers\/(.+)\/logs$/.exec(route) ?? [];
  if (worker !== undefined) return logsOf(of, worker, query);
  if (route === 'GET /workers') return workers;
  switch (route.replace(`/issues/${encodeURIComponent(issue.id)}`, '/issues/:id')) {
    case 'GET /issues/:id':
      return { issue, comments, pullRequest, workers };
    case 'GET /issues/:id/explain':
      return of.explanation;
    case 'GET /issues/:id/gates':
      return of.gates;
    case 'GET /issues/:id/handoffs':
      return { handoffs: of.handoffs };
    case 'GET /issues/:id/attempts':
      return of.attempts;
    case 'GET /issues/:id/diff':
      return of.diff;
    case 'GET /issues/:id/story':
      return storyOf(of, query);
    case 'POST /state/advance':
      return of.advance;
    default:
      return route.startsWith('GET ') ? undefined : { says: `Done: ${route}` };
  }
}

const PAGE = 40;

function storyOf({ story }: IssueFacts, query: URLSearchParams) {
  const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY);
  const earlier = story.filter(({ version }) => version < before);
  return { entries: earlier.slice(-PAGE), more: earlier.length > PAGE };
}

function logsOf({ logs }: IssueFacts, worker: string, query: URLSearchParams) {
  const attempt = Number(query.get('attempt'));
  const offset = Number(query.get('offset'));
  const written = bytesOf(logs[`${worker} ${attempt} ${query.get('stream')}`] ?? '');
  const part = written.subarray(offset, offset + ANSWER_MOST_BYTES);
  const nextOffset = offset + part.length;
  return { worker, attempt, text: part.toString(), nextOffset, more: nextOffset < written.length };
}

/** Of the last text that was asked for: a long one is read in many parts. */
let known = { text: '', bytes: Buffer.alloc(0) };

function bytesOf(text: string): Buffer {
  if (known.text !== text) known = { text, bytes: Buffer.from(text) };
  return known.bytes;
}

/** In the midst of its implementation, the second time. */
export function issueAtWork(): IssueFacts {
  const now = Date.now();
  return {
    issue: {
      id: ID,
      title: 'A queue for outgoing webhooks that survives a restart of the server and keeps their order',
      body: 'Webhooks are sent from memory today.\n\nWhat must hold:\n- a restart loses none\n- those of one customer keep their order\n- a receiver that is away does not hold up the others',
      status: 'In Progress',
      column: 'In Progress',
      labels: ['feature', 'infra', 'queue', 'worker-active'],
      priority: 2,
      createdAt: now - 26 * 60 * MINUTE,
      blockedBy: [],
      parent: 'DEMO-12',
    },
    comments: [
      {
        id: 'c1',
        author: 'mira',
        by: 'writer',
        at: now - 200 * MINUTE,
        text: 'Order matters per customer only.',
      },
      {
        id: 'c2',
        author: 'legion',
        by: 'legion',
        at: now - 90 * MINUTE,
        text: 'The plan has four steps.\nSee the handoff.',
      },
      {
        id: 'c3',
        author: 'passer-by',
        by: 'outsider',
        at: now - 30 * MINUTE,
        text: 'Please also support SOAP.',
      },
    ],
    pullRequest: {
      number: 47,
      state: 'open',
      draft: false,
      title: 'Queue for outgoing webhooks',
      branch: 'legion/demo-21',
      headSha: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
      review: 'none',
      ci: 'pending',
      mergeable: 'mergeable',
    },
    workers: [
      workerOf('plan', { status: 'finished', startedAt: now - 140 * MINUTE, attempt: 1 }),
      workerOf('implement', { status: 'executing', startedAt: now - 24 * MINUTE, attempt: 2, crashes: 1 }),
    ],
    explanation: explanationOf(now),
    story: storyLines(now),
    gates: GATES,
    handoffs: HANDOFFS,
    attempts: attemptsOf(now),
    diff: DIFF,
    advance: {
      issue: ID,
      dryRun: true,
      decisions: [
        {
          action: 'transition_to_testing',
          mode: 'test',
          reason: 'implemented',
          says: 'The implementer is done and CI passes.',
        },
      ],
      commands: ['move DEMO-21 to Testing', 'dispatch a tester'],
      status: 'Testing',
    },
    logs: {
      'demo-21-implement 2 out': agentLog(),
      'demo-21-implement 1 out':
        '{"type":"started","session":"s-1"}\n{"type":"text","text":"The first attempt."}\n',
      'demo-21-implement 2 err': 'npm warn deprecated left-pad@1.3.0\n',
      'demo-21-plan 1 out':
        '{"type":"started","session":"s-0"}\n{"type":"text","text":"Four steps."}\n{"type":"turn_ended"}\n',
    },
  };
}

export function workerOf(mode: WorkerView['mode'], changes: Partial<WorkerView>): WorkerView {
  return {
    id: `demo-21-${mode}`,
    issue: ID,
    mode,
    attempt: 1,
    sessionId: '9b1deb4d',
    version: 0,
    host: 'workbench',
    agent: 'claude-code',
    model: 'sonnet',
    status: 'executing',
    startedAt: Date.now() - 10 * MINUTE,
    crashes: 0,
    ...changes,
  };
}

function explanationOf(now: number): Explanation {
  const worker: WorkerStatusView = {
    ...workerOf('implement', { attempt: 2, crashes: 1, startedAt: now - 24 * MINUTE }),
    checkpoint: {
      stage: 'step 2 of 4',
      completed: [],
      remaining: [],
      lastAction: 'wrote the failing test for order',
      at: now - 6 * MINUTE,
    },
    health: {
      verdict: 'healthy',
      state: 'executing',
      next: 'leave_alone',
      why: 'It is in a tool, and its process uses the processor.',
      wouldChange: 'Two hours in the same tool, or no sign of life for ten minutes.',
      evidence: ['process=alive (pid 5120)', 'lastEvent=12 s ago', 'cpu=34 %'],
    },
    spending: {
      wallMs: 51 * MINUTE,
      turns: 14,
      tokens: 1_204_331,
      usd: 2.41,
      next: 'nothing',
      why: 'Below every limit.',
      wouldChange: 'Four hours, or $10.',
      evidence: [],
    },
  };
  return {
    state: {
      id: ID,
      title: 'A queue',
      status: 'In Progress',
      labels: [],
      hasPr: true,
      prReviewState: 'none',
      ciStatus: 'pending',
      mergeableStatus: 'mergeable',
      hasLiveWorker: true,
      workerMode: 'implement',
      workerStatus: 'executing',
      suggestedAction: 'skip',
      sessionId: '',
      hasUserFeedback: false,
      blockedByIds: [],
      isBlocked: false,
      source: {},
      reason: 'worker_busy',
      says: 'The implementer is at work.',
      evidence: ['worker=implement attempt 2', 'state=executing', 'pullRequest=47 open', 'ci=pending'],
      until: { by: 'event', what: 'the worker reports, asks, or is found dead' },
    },
    since: now - 24 * MINUTE,
    rounds: { ci_failure: 1, test_failure: 0 },
    workers: [worker],
    spent: { wallMs: 70 * MINUTE, turns: 21, tokens: 1_530_112, usd: 2.83 },
    openIntents: [],
    openQuestions: [],
    history: [],
  };
}

/** More than one page of them. */
function storyLines(now: number): StoryEntry[] {
  const told: Omit<StoryEntry, 'version' | 'at'>[] = [
    { type: 'issue.sighted', says: 'DEMO-21 is in In Progress', by: 'board', evidence: [] },
    {
      type: 'decision.made',
      says: 'Legion decided: dispatch_implementer, because the plan was approved',
      by: 'legion',
      evidence: ['labels=arch-review-approved', 'worker=none'],
    },
    {
      type: 'attempt.active',
      says: 'The implementer began to work',
      by: 'worker',
      mode: 'implement',
      attempt: 2,
      evidence: [],
    },
    {
      type: 'attempt.crashed',
      says: 'Attempt 1 of the implementer crashed: its process was gone',
      by: 'legion',
      mode: 'implement',
      attempt: 1,
      evidence: ['process=gone', 'exit=none', 'lastEvent=140 s ago'],
    },
    { type: 'question.answered', says: 'mira answered question 3', by: 'person', evidence: [] },
    {
      type: 'checkpoint.saved',
      says: 'The implementer has come to step 2 of 4',
      by: 'worker',
      mode: 'implement',
      attempt: 2,
      evidence: ['completed=step 1'],
    },
  ];
  return Array.from({ length: 90 }, (_, index) => ({
    ...(told[index % told.length] as StoryEntry),
    version: 1_000 + index,
    at: now - (90 - index) * 11 * MINUTE,
  }));
}

const GATES: GatesView = {
  issue: ID,
  headSha: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
  verdict: 'fail',
  preMerge: [
    { name: 'names_issue', verdict: 'pass', evidence: 'namesIssue=true' },
    { name: 'ci_green', verdict: 'unknown', evidence: 'ci=pending' },
    { name: 'review_approved', verdict: 'fail', evidence: 'review=none' },
    { name: 'tests_passed', verdict: 'fail', evidence: 'test-passed=false, evidence.test=none' },
    { name: 'retro_done', verdict: 'fail', evidence: 'evidence.retro=none' },
    { name: 'no_open_question', verdict: 'pass', evidence: 'user-input-needed=false' },
    { name: 'mergeable', verdict: 'pass', evidence: 'mergeable=mergeable' },
  ],
  autoMerge: {
    allowed: false,
    conditions: [
      { name: 'not_draft', verdict: 'pass', evidence: 'draft=false' },
      { name: 'small', verdict: 'fail', evidence: 'lines=412/100, files=9/2' },
      { name: 'no_dependency_added', verdict: 'unknown', evidence: 'dependencies=unknown' },
      { name: 'safe_kind', verdict: 'fail', evidence: 'safe=none, unsafe=feature infra' },
    ],
  },
};

const HANDOFFS: HandoffsAnswer['handoffs'] = {
  architect: {
    summary: 'A table in the same database is the queue. Nothing new has to be run.',
    decided: ['Order is kept for each customer, not over all'],
    left: ['A page that shows what waits is another issue'],
    files: ['src/webhooks/send.ts'],
    done: [],
    tests: [],
    details: {
      criteria: [{ must: 'a restart loses none', test: 'kill -9 while 100 wait' }],
      risks: ['two servers at once'],
    },
  },
  plan: {
    summary: 'Four commits. Tests run with `npm test`, about 4 s.',
    decided: ['Rows are claimed with SKIP LOCKED'],
    done: [],
    left: [],
    files: ['src/webhooks/queue.ts', 'src/webhooks/send.ts', 'test/webhooks/queue.test.ts'],
    tests: ['npm test: 141 passed on the base branch'],
    details: {
      commands: { tests: 'npm test', lint: 'npm run lint' },
      steps: [
        {
          step: 'A table and what writes into it',
          files: ['src/webhooks/queue.ts'],
          'test first': 'what was written is there after a restart',
          criteria: [1],
          'seen by': 'npm test',
        },
        {
          step: 'A sender that takes the oldest of each customer',
          files: ['src/webhooks/send.ts'],
          criteria: [2, 3],
          'seen by': 'npm test',
        },
        {
          step: 'Retries with backoff',
          files: ['src/webhooks/send.ts'],
          criteria: [3],
          'seen by': 'npm test',
        },
        { step: 'The documents say it', files: ['docs/webhooks.md'], criteria: [], 'seen by': 'reading' },
      ],
    },
  },
};

function attemptsOf(now: number): Attempt[] {
  const common = { agent: 'claude-code', model: 'sonnet' };
  return [
    {
      ...common,
      mode: 'plan',
      attempt: 1,
      state: 'finished',
      dispatchedAt: now - 140 * MINUTE,
      endedAt: now - 128 * MINUTE,
      ending: 'its report was accepted',
      report: { outcome: 'done', summary: 'Planned four steps; every criterion has a step and a test.' },
      spent: { turns: 6, tokens: 210_400, usd: 0.3 },
      verdicts: [],
    },
    {
      ...common,
      mode: 'implement',
      attempt: 1,
      state: 'crashed',
      dispatchedAt: now - 60 * MINUTE,
      endedAt: now - 25 * MINUTE,
      ending: 'it crashed: its process was gone',
      report: null,
      spent: { turns: 8, tokens: 620_000, usd: 1.1 },
      verdicts: [
        { at: now - 28 * MINUTE, says: 'suspected: no sign of life for two minutes', evidence: [] },
        {
          at: now - 25 * MINUTE,
          says: 'confirmed as crashed: its process was gone',
          evidence: ['process=gone', 'exit=none', 'lastEvent=140 s ago'],
        },
      ],
    },
    {
      ...common,
      mode: 'implement',
      attempt: 2,
      state: 'executing',
      dispatchedAt: now - 24 * MINUTE,
      endedAt: null,
      ending: null,
      report: null,
      spent: { turns: 7, tokens: 584_331, usd: 1.43 },
      verdicts: [],
    },
  ];
}

const DIFF: Diff = {
  of: 'pull_request',
  says: 'Pull request 47.',
  base: 'a'.repeat(40),
  head: '4f2a9c1be07d66a3b1c0d9e8f7a6b5c4d3e2f1a0',
  truncated: false,
  files: [
    {
      path: 'src/webhooks/queue.ts',
      change: 'added',
      additions: 6,
      deletions: 0,
      cut: false,
      patch:
        '@@ -0,0 +1,6 @@\n+/** What waits to be sent. */\n+export class Queue {\n+\tadd(hook: Hook): void {\n+\t\tthis.#table.insert(hook);\n+\t}\n+}\n',
    },
    {
      path: 'src/webhooks/send.ts',
      change: 'changed',
      additions: 3,
      deletions: 2,
      cut: false,
      patch:
        '@@ -12,7 +12,8 @@ export function send(hook: Hook)\n   const url = hook.url;\n-  void fetch(url, { body: hook.body });\n-  return;\n+  const queue = openQueue();\n+  queue.add(hook);\n+  return queue.flush();\n }\n \n export function retry() {\n@@ -40,2 +41,2 @@\n a\n b\n\\ No newline at end of file\n',
    },
    {
      path: 'src/webhooks/backoff.ts',
      from: 'src/retry/backoff.ts',
      change: 'renamed',
      additions: 0,
      deletions: 0,
      cut: false,
      patch: '',
    },
    { path: 'docs/picture.png', change: 'changed', additions: null, deletions: null, cut: false, patch: '' },
    {
      path: 'package-lock.json',
      change: 'changed',
      additions: 4_000,
      deletions: 900,
      cut: true,
      patch: `@@ -1,1 +1,3000 @@\n${Array.from({ length: 3_000 }, (_, index) => `+    "node_modules/package-${index}": {}`).join('\n')}\n`,
    },
    {
      path: 'src/old/timer.ts',
      change: 'deleted',
      additions: 0,
      deletions: 1,
      cut: false,
      patch: '@@ -1 +0,0 @@\n-export {};\n',
    },
  ],
};
