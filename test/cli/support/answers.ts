/**
 * Daemon responses for the command-line tests. Their types keep them consistent with the protocol.
 */
import type { IssueView } from '../../../src/protocol/board.ts';
import type { IssueState } from '../../../src/protocol/board-state.ts';
import type { CiView } from '../../../src/protocol/ci.ts';
import type { DashboardCard } from '../../../src/protocol/dashboard.ts';
import type { GatesView, InboxItem, IssueExplanation } from '../../../src/protocol/operator.ts';
import type { IssueDiff } from '../../../src/protocol/repository.ts';
import type { HealthView } from '../../../src/protocol/status.ts';
import type { WorkerStatusView, WorkerView } from '../../../src/protocol/workers.ts';

export const ISSUE: IssueView = {
  id: 'SHOP-1',
  title: 'Sell \u001b[2Jtea',
  body: 'People want tea.',
  status: 'In Progress',
  column: 'In Progress',
  labels: ['worker-active'],
  priority: 2,
  createdAt: 1_000,
  blockedBy: [],
};

export const DONE: IssueView = {
  ...ISSUE,
  id: 'SHOP-2',
  title: 'Sell milk',
  status: 'Done',
  column: 'Done',
  labels: [],
};

export const WORKER: WorkerView = {
  id: 'shop-1-implement',
  issue: 'SHOP-1',
  mode: 'implement',
  attempt: 2,
  sessionId: '924320b3-c96b-510f-b8c4-43e1040229e8',
  version: 0,
  host: 'local',
  status: 'executing',
  pid: 4_711,
  startedAt: 2_000,
  since: 2_500,
  spentUsd: 0.25,
  crashes: 1,
  crashCount: 1,
};

export const HEALTH: HealthView = {
  ok: true,
  legion: 'shop',
  version: '0.1.0',
  pid: process.pid,
  startedAt: 1_000,
  epoch: 1,
  journalVersion: 7,
  backend: 'local',
  forge: 'local',
  host: 'local',
  workers: { live: 1, waiting: 0, limit: 4 },
  starts: { allowed: true },
  autoAdvance: true,
  troubles: [],
};

export const INBOX: InboxItem = {
  kind: 'question',
  issue: 'SHOP-1',
  title: 'Sell tea',
  text: 'Green or black?',
  since: 3_000,
  question: 4,
  next: 'legion answer SHOP-1 "…"',
};

export const RED: InboxItem = {
  kind: 'paused',
  issue: 'SHOP-3',
  title: 'Sell coffee',
  text: 'Its worker crashed.',
  since: 3_000,
  ci: { check: 'unit', sha: '0123456789abcdef', log: 'line 1\n\u001b[2Jnot ok 2' },
  next: 'legion resume SHOP-3',
};

export const APPROVAL: InboxItem = {
  kind: 'approval',
  issue: 'SHOP-4',
  title: 'Sell cake',
  text: 'The merge is waiting for your approval.',
  since: 3_000,
  approves: 'merge',
  read: 'legion diff SHOP-4',
  next: 'legion approve SHOP-4',
};

export const STATE: IssueState = {
  id: 'SHOP-1',
  title: 'Sell tea',
  status: 'Retro',
  labels: ['worker-done'],
  hasPr: true,
  prReviewState: 'approved',
  ciStatus: 'passing',
  mergeableStatus: 'mergeable',
  prIsDraft: false,
  prLabels: [],
  blockedQuestion: null,
  hasLiveWorker: true,
  workerMode: 'implement',
  workerStatus: 'executing',
  suggestedAction: 'dispatch_merger',
  sessionId: WORKER.sessionId,
  hasUserFeedback: false,
  blockedByIds: [],
  isBlocked: false,
  source: { kind: 'local' },
  reason: 'due',
  says: 'This phase has not been worked on yet.',
  evidence: ['status=Retro', 'worker=live'],
  until: { by: 'worker', what: 'it reports', read: 'legion diff SHOP-1' },
};

export const GATES: GatesView = {
  issue: 'SHOP-1',
  headSha: '0123456789abcdef',
  preMerge: [
    { name: 'ci_green', verdict: 'pass', evidence: 'ci=passing' },
    { name: 'tests_passed', verdict: 'fail', evidence: 'test-passed=false' },
  ],
  autoMerge: { allowed: false, conditions: [{ name: 'small', verdict: 'unknown', evidence: 'lines=?' }] },
  verdict: 'fail',
};

export const CI: CiView = {
  issue: 'SHOP-1',
  number: 7,
  sha: '0123456789abcdef',
  status: 'failing',
  says: 'CI fails at the head of the pull request.',
  next: '`legion explain SHOP-1` says what happens next.',
  checks: [
    {
      name: 'unit',
      status: 'failing',
      url: 'https://ci.example.org/1',
      log: 'line 1\n\u001b[2Jnot ok 2 - tea',
    },
    { name: 'e2e', status: 'could_not_run', missing: 'GitHub no longer has the log.' },
    { name: 'lint', status: 'passing', summary: 'No warnings' },
  ],
  problems: [
    {
      code: 'baseline.failed',
      message: 'The baseline of shop is red.\nno tea',
      next: 'Fix the base branch.',
    },
  ],
};

export const CARD: DashboardCard = {
  id: 'SHOP-1',
  title: 'Sell tea',
  status: 'Retro',
  column: 'Retro',
  labels: [],
  priority: 0,
  since: null,
  blockedBy: [],
  worker: null,
  waits: null,
  needsYou: false,
  pullRequest: null,
  spentUsd: 0,
};

export const DIFF: IssueDiff = {
  of: 'pull_request',
  says: 'Pull request 7.',
  base: '0123456789abcdef',
  head: 'fedcba9876543210',
  truncated: true,
  files: [
    {
      path: 'src/tea.js',
      change: 'changed',
      additions: 1,
      deletions: 1,
      cut: false,
      patch: '@@ -1 +1 @@\n-coffee\n+tea \u001b[2J',
    },
    {
      path: 'tea.png',
      from: 'cup.png',
      change: 'renamed',
      additions: null,
      deletions: null,
      patch: '',
      cut: true,
    },
  ],
};

const watched: WorkerStatusView = {
  ...WORKER,
  health: {
    verdict: 'healthy',
    state: 'thinking',
    next: 'leave_alone',
    why: 'It wrote 3 s ago.',
    wouldChange: 'Silence for 10 min.',
    evidence: ['process=alive', 'agent=text 3 s ago'],
  },
  spending: {
    wallMs: 90_000,
    turns: 2,
    tokens: 45_000,
    usd: 0.321,
    next: 'wait',
    why: 'A budget is used up: 2 turns of 2 turns used by this worker.',
    wouldChange: 'It reports or exits; otherwise it is stopped in 30 s.',
    evidence: ['idle_turns=0'],
  },
};

export const EXPLANATION: IssueExplanation = {
  state: STATE,
  since: 1_000,
  rounds: { ci_failure: 1, conflict: 0 },
  workers: [watched],
  spent: { wallMs: 61_000, turns: 3, tokens: 1_700, usd: 0.12 },
  openIntents: [{ intent: 9, kind: 'write_issue', since: 2_000 }],
  waitingMessages: [],
  openQuestions: [{ question: 4, mode: 'implement', text: 'Green or black?', askedAt: 3_000 }],
  history: [{ at: 1_000, what: 'decided dispatch_implementer', evidence: ['mode=implement'] }],
};
