/** Data of an issue during its implementation, with an example of everything its page can show. */
import type { AttemptView, StoryEntry } from '../../../src/protocol/dashboard.ts';
import type { IssueExplanation } from '../../../src/protocol/operator.ts';
import type { WorkerStatusView, WorkerView } from '../../../src/protocol/workers.ts';
import { CI, DIFF, GATES, HANDOFFS, ID } from './issue-documents.ts';
import type { IssueFacts } from './issue-facts.ts';
import { createAgentLog } from './issue-log.ts';

export { ID } from './issue-documents.ts';

const MINUTE = 60_000;

export function createRunningIssue(): IssueFacts {
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
      createWorker('plan', { status: 'finished', startedAt: now - 140 * MINUTE, attempt: 1 }),
      createWorker('implement', {
        status: 'executing',
        startedAt: now - 24 * MINUTE,
        attempt: 2,
        crashes: 1,
        crashCount: 1,
      }),
    ],
    explanation: createExplanation(now),
    story: createStoryEntries(now),
    gates: GATES,
    ci: CI,
    handoffs: HANDOFFS,
    attempts: createAttempts(now),
    diff: DIFF,
    advance: {
      issue: ID,
      dryRun: true,
      advanced: false,
      says: `${ID} would be advanced.`,
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
      'demo-21-implement 2 out': createAgentLog(),
      'demo-21-implement 1 out':
        '{"type":"started","session":"s-1"}\n{"type":"text","text":"The first attempt."}\n',
      'demo-21-implement 2 err': 'npm warn deprecated left-pad@1.3.0\n',
      'demo-21-plan 1 out':
        '{"type":"started","session":"s-0"}\n{"type":"text","text":"Four steps."}\n{"type":"turn_ended"}\n',
    },
  };
}

export function createWorker(mode: WorkerView['mode'], changes: Partial<WorkerView>): WorkerView {
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
    since: Date.now() - 9 * MINUTE,
    spentUsd: 1.43,
    crashes: 0,
    crashCount: 0,
    ...changes,
  };
}

function createExplanation(now: number): IssueExplanation {
  const worker: WorkerStatusView = {
    ...createWorker('implement', { attempt: 2, crashes: 1, startedAt: now - 24 * MINUTE }),
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
      why: 'It is running a tool, and its process is using the processor.',
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
      prIsDraft: false,
      prLabels: [],
      blockedQuestion: null,
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
      says: 'The implementer is running.',
      evidence: ['worker=implement attempt 2', 'state=executing', 'pullRequest=47 open', 'ci=pending'],
      until: { by: 'event', what: 'the worker reports, asks a question or fails' },
    },
    since: now - 24 * MINUTE,
    rounds: { ci_failure: 1, test_failure: 0 },
    workers: [worker],
    spent: { wallMs: 70 * MINUTE, turns: 21, tokens: 1_530_112, usd: 2.83 },
    openIntents: [],
    waitingMessages: [],
    openQuestions: [],
    history: [],
  };
}

/** Number of entries in the list below that report usage. */
const ROUTINE = 4;

/** Returns more entries than fit on one page. */
function createStoryEntries(now: number): StoryEntry[] {
  const told: Omit<StoryEntry, 'version' | 'at' | 'routine'>[] = [
    { type: 'issue.sighted', says: 'DEMO-21 is in In Progress', by: 'board', evidence: [] },
    {
      type: 'decision.made',
      says: 'Legion decided to start an implementer: the plan was approved',
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
    {
      type: 'attempt.spent',
      says: 'The implementer has used 3 turns so far',
      by: 'worker',
      mode: 'implement',
      attempt: 2,
      evidence: [],
    },
    { type: 'question.answered', says: 'mira answered question 3', by: 'person', evidence: [] },
    {
      type: 'checkpoint.saved',
      says: 'The implementer has reached step 2 of 4',
      by: 'worker',
      mode: 'implement',
      attempt: 2,
      evidence: ['completed=step 1'],
    },
  ];
  return Array.from({ length: 90 }, (_, index) => ({
    ...(told[index % told.length] as StoryEntry),
    routine: index % told.length === ROUTINE,
    version: 1_000 + index,
    at: now - (90 - index) * 11 * MINUTE,
  }));
}

function createAttempts(now: number): AttemptView[] {
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
