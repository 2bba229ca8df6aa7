/**
 * Checks waits that only a person can end: each explains its cause in one sentence and shows the
 * command to run.
 */
import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { ROUND_REASONS } from '../../../src/core/model/mode.ts';
import { REASONS, type ReasonCode, type StopReason } from '../../../src/core/pipeline/reasons.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { explainWait } from '../../../src/core/state/explain-wait.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';
import { STOP_CAUSES } from '../../../src/core/state/stop-causes.ts';

const ISSUE = 'A-1';
const SENTENCE = /^[A-Z][^\n]*[.!?]$/;

const STOPS: Readonly<Record<StopReason, { readonly evidence: string[]; readonly cause: string }>> = {
  crash_limit: {
    evidence: ['It crashed 2 times; Legion restarts it at most once.'],
    cause: 'Paused after 2 crashes of the implement worker: claude-code exited with code 1: no API key.',
  },
  budget_spent: {
    evidence: ['A budget is used up: $1.20 of $1.00 used by this worker.'],
    cause: 'Paused because a budget is used up: $1.20 of $1.00 used by this worker.',
  },
  no_progress: {
    evidence: ['It took 3 turns without a workspace change.'],
    cause:
      'Paused because the implement worker is not making progress: it took 3 turns without a workspace change.',
  },
  still_no_pr: {
    evidence: ['pullRequest=none', 'investigation=2/2'],
    cause: 'Paused because there is still no pull request, although the implement worker was reminded.',
  },
  still_no_review: {
    evidence: ['review=none'],
    cause:
      'Paused because there is still no review of this commit, although the implement worker was reminded.',
  },
  quality_gate_could_not_run: {
    evidence: ['evidence.qualityGate=could_not_run'],
    cause: 'Paused because the quality gate could not run: make: not found.',
  },
  tests_could_not_run: {
    evidence: ['evidence.test=could_not_run'],
    cause: 'Paused because the tester could not run the tests: no browser.',
  },
  round_limit: {
    evidence: ['ci=failing', 'rounds.ci_failure=3/3'],
    cause: 'Waiting for you after 3/3 rounds: CI keeps failing.',
  },
  nothing_checked: {
    evidence: ['ci=none'],
    cause: expect.stringMatching(
      /^Waiting for you because neither CI nor a quality gate has checked/,
    ) as never,
  },
};

describe('the explanation of an issue that the engine stopped', () => {
  test.each(Object.keys(STOP_CAUSES) as StopReason[])(
    'for %s states the cause and the next step',
    (reason) => {
      const { evidence, cause } = STOPS[reason];
      const isQuestion = reason === 'round_limit' || reason === 'nothing_checked';
      const state = withFailures();
      const stop = isQuestion ? 'add_user_input_needed' : 'add_legion_paused';
      const waits = isQuestion ? 'waits_for_answer' : 'paused';
      decide(state, { action: stop, reason, evidence: ['status=In Progress', ...evidence] });
      decide(state, { action: 'skip', reason: waits, evidence: [] });
      const found = explainWait(state, ISSUE, { reason: waits, mode: 'implement', evidence: [] });
      expect(found.cause).toEqual(cause);
      expect(found.cause).toMatch(SENTENCE);
      expect(found.next).toBe(isQuestion ? `legion answer ${ISSUE} "…"` : `legion resume ${ISSUE}`);
      expect(found.worker).toEqual(
        STOP_CAUSES[reason].isAboutWorker ? { mode: 'implement', attempt: 2 } : undefined,
      );
    },
  );

  test.each(ROUND_REASONS)('after too many %s rounds states what keeps failing', (round) => {
    const state = createLegionState();
    const evidence = [`rounds.${round}=3/3`];
    const { cause } = explainWait(state, ISSUE, { reason: 'round_limit', mode: 'implement', evidence });
    expect(cause).toMatch(/^Waiting for you after 3\/3 rounds: [^\n]+\.$/);
    expect(cause).not.toContain('_');
  });

  test('does not mention an earlier stop after the issue has continued', () => {
    const state = withFailures();
    decide(state, { action: 'add_legion_paused', reason: 'crash_limit', evidence: [] });
    decide(state, { action: 'dispatch_implementer', reason: 'due', evidence: [] });
    decide(state, { action: 'skip', reason: 'paused', evidence: [] });
    expect(explainWait(state, ISSUE, { reason: 'paused', mode: 'implement', evidence: [] }).cause).toBe(
      'Paused: the label legion-paused was added on the board.',
    );
  });
});

test('the explanation of a hold mentions the person who ordered it and the reason', () => {
  const state = withFailures();
  decide(state, { action: 'add_legion_paused', reason: 'crash_limit', evidence: [] });
  take(state, {
    type: 'labels.owed',
    issue: ISSUE,
    revision: 1,
    add: ['legion-paused'],
    remove: [],
    by: 'ada',
    why: 'wait for the release',
  });
  expect(explainWait(state, ISSUE, { reason: 'paused', mode: 'plan', evidence: [] })).toMatchObject({
    cause: 'Paused by ada: wait for the release.',
    next: `legion resume ${ISSUE}`,
  });
});

test.each([
  [
    'halt',
    'halted',
    'The legion is halted: every worker was stopped, and no worker starts (halted by ada: fire).',
  ],
  ['pause', 'legion_paused', 'The legion is paused: no worker starts (halted by ada: fire).'],
] as const)(
  'the explanation of a %s of the legion mentions the person who ordered it and the reason',
  (kind, reason, cause) => {
    const state = createLegionState();
    take(state, { type: 'breaker.opened', breaker: 1, kind, why: 'halted by ada: fire', by: 'ada' });
    const found = explainWait(state, ISSUE, { reason, mode: 'plan', evidence: [] });
    expect(found).toMatchObject({ cause, next: 'legion resume' });
  },
);

const FOR_PEOPLE = (Object.keys(REASONS) as ReasonCode[]).filter(
  (reason) => REASONS[reason].until.by === 'person',
);

test.each(FOR_PEOPLE)('%s: shows the command that the person has to run', (reason) => {
  const evidence = ['status=Todo', 'would=dispatch_planner', 'claude-code: it is not logged in.'];
  const { cause, next } = explainWait(createLegionState(), ISSUE, { reason, mode: 'plan', evidence });
  expect(cause).toMatch(SENTENCE);
  expect(next).toMatch(/^(?:legion [a-z]|git |edit )/);
  expect(next).not.toContain('ISSUE');
});

test.each([
  ['unclarified', `legion issue comment ${ISSUE} "…"`],
  ['scripted_work', 'legion issue add "…"'],
])('%s: shows a complete command as the next step', (reason, next) => {
  expect(explainWait(createLegionState(), ISSUE, { reason, mode: 'plan', evidence: [] }).next).toBe(next);
});

test.each([
  [
    'agent_not_ready',
    ['claude-code: it is not logged in.'],
    'No agent for this phase is ready: claude-code: it is not logged in.',
  ],
  [
    'waited_too_long',
    ['waits_for=ci_pending', 'ci=pending'],
    'The check has not finished within limits.check_wait: CI is still running.',
  ],
  ['blocked', ['blockers=A-2,A-3'], 'Another issue has to be done first: A-2, A-3.'],
  ['budget_zero', ['budgets.day.usd=0'], 'A budget is 0, so nothing starts: budgets.day.usd=0.'],
  ['of_a_later_version', ['x=1'], 'of_a_later_version'],
])('%s: includes the known facts in the sentence', (reason, facts, cause) => {
  const evidence = ['status=Todo', 'would=dispatch_planner', ...facts];
  expect(explainWait(createLegionState(), ISSUE, { reason, mode: 'plan', evidence }).cause).toBe(cause);
});

describe('the explanation of an approval', () => {
  const waits = { reason: 'waits_for_approval', mode: 'architect', evidence: ['status=Backlog'] } as const;
  const specification: EventBody = {
    type: 'handoff.written',
    issue: ISSUE,
    phase: 'architect',
    revision: 1,
    content: { summary: 'Greet by name\nin three languages', decided: [] },
  };

  test('for a specification includes its summary and the command that shows it', () => {
    const state = createLegionState();
    take(state, specification);
    expect(explainWait(state, ISSUE, waits)).toEqual({
      cause: 'The specification is waiting for your approval: Greet by name in three languages.',
      read: `legion issue show ${ISSUE}`,
      next: `legion approve ${ISSUE}`,
    });
    expect(explainWait(state, ISSUE, { ...waits, reason: 'approval_due' }).cause).toMatch(
      /^The specification/,
    );
  });

  test('for a merge mentions the merge and the command that shows the change', () => {
    const state = createLegionState();
    take(state, specification);
    expect(explainWait(state, ISSUE, { ...waits, mode: 'merge', evidence: ['status=Retro'] })).toEqual({
      cause: 'The merge is waiting for your approval: the pull request is finished.',
      read: `legion diff ${ISSUE}`,
      next: `legion approve ${ISSUE}`,
    });
  });

  test('does not mention a specification if there is none', () => {
    expect(explainWait(createLegionState(), ISSUE, waits)).toMatchObject({
      cause: 'An approval is due.',
      next: `legion approve ${ISSUE}`,
    });
  });
});

/** Creates an implementer that crashed twice on an issue whose checks could not run. */
function withFailures(): LegionState {
  const state = createLegionState();
  const proof = { issue: ISSUE, sha: 'abc', verdict: 'could_not_run' } as const;
  take(state, {
    type: 'evidence.recorded',
    ...proof,
    suites: [],
    revision: 1,
    kind: 'quality_gate',
    by: 'host',
    detail: 'make: not found',
  });
  take(state, {
    type: 'evidence.recorded',
    ...proof,
    suites: [],
    revision: 2,
    kind: 'test',
    by: 'a-1-test',
    detail: 'no browser\nat all',
  });
  for (const attempt of [1, 2]) {
    const about = { issue: ISSUE, mode: 'implement', attempt } as const;
    take(state, {
      type: 'attempt.dispatched',
      ...about,
      session: 's',
      version: 0,
      host: 'local',
      agent: 'claude-code',
    });
    take(state, { type: 'attempt.exited', ...about, code: 1, signal: null });
    take(state, {
      type: 'attempt.crashed',
      ...about,
      evidence: ['Its process is gone.'],
      error: 'no API key',
    });
  }
  return state;
}

function decide(
  state: LegionState,
  made: Pick<Extract<EventBody, { type: 'decision.made' }>, 'action' | 'reason' | 'evidence'>,
): void {
  const decision = (state.issues.get(ISSUE)?.lastDecision ?? 0) + 1;
  take(state, { type: 'decision.made', issue: ISSUE, decision, mode: 'implement', ...made });
}

function take(state: LegionState, body: EventBody): void {
  const seq = state.version + 1;
  evolve(state, { ...body, seq, at: seq, epoch: 0 });
}
