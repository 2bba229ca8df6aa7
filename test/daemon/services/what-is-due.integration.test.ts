import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { LegionError } from '../../../src/core/model/fault.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import { BoardView } from '../../../src/daemon/context/board-view.ts';
import { evaluateIssue } from '../../../src/daemon/services/evaluate-issues.ts';
import { collectBoard } from '../../../src/daemon/services/operator/collect.ts';
import { collectedSchema } from '../../../src/protocol/board-state.ts';
import {
  advanceAnswer,
  advanceRequest,
  explanationSchema,
  gatesSchema,
} from '../../../src/protocol/operator.ts';
import { overridePort } from '../../support/override-port.ts';
import { type DeskLegion, deskLegion } from './legion.ts';
import { SOON } from './repeater.ts';

let legion: DeskLegion;
let desk: DeskLegion['desks']['operator'];

beforeAll(async () => {
  legion = await deskLegion();
  desk = legion.desks.operator;
});
afterEach(() => legion.leave());
afterAll(() => legion.close());

test('collects the due step and the facts of every issue, and writes nothing', async () => {
  const waiting = await legion.issue('Backlog', ['needs-approval', 'worker-done']);
  const working = await legion.issue('In Progress', ['worker-active']);
  await legion.dispatched(working, 'implement');
  const reviewed = await legion.issue('Needs Review', ['worker-done']);
  await legion.pullRequest(reviewed);
  const { version } = legion.world.ledger;
  const wakes = legion.wakes.length;
  const collected = await desk.collect({});
  expect(collectedSchema.parse(collected)).toEqual(collected);
  expect(collected.issues).toMatchObject({
    [waiting]: {
      suggestedAction: 'skip',
      reason: 'waits_for_approval',
      says: 'An approval is due.',
      hasPr: false,
      ciStatus: null,
      hasLiveWorker: false,
      workerMode: null,
      source: { kind: 'local' },
      until: { by: 'person' },
    },
    [working]: {
      suggestedAction: 'skip',
      reason: 'worker_live',
      hasLiveWorker: true,
      workerMode: 'implement',
      workerStatus: 'spawned',
      labels: ['worker-active'],
    },
    [reviewed]: {
      suggestedAction: 'investigate_no_review',
      hasPr: true,
      prReviewState: 'none',
      ciStatus: 'none',
      mergeableStatus: 'mergeable',
      prIsDraft: false,
      prLabels: [],
      blockedQuestion: null,
      evidence: expect.arrayContaining(['review=none']),
    },
  });
  expect(legion.world.ledger.version).toBe(version);
  expect(legion.wakes).toHaveLength(wakes);
  const some = await desk.collectPosted({
    backend: 'local',
    issues: [{ id: working, status: 'Done' }, 'DEMO-999'],
  });
  expect(some.issues).toEqual({ [working]: collected.issues[working] });
  expect(some.rejected).toEqual([
    { path: 'issues[1]', message: 'issues[1]: "demo-999" is not on this board' },
  ]);
  await expect(desk.collect({ backend: 'github' })).rejects.toMatchObject({ code: 'state.not_accepted' });
});

test('if a due worker cannot start yet, says what it is waiting for', async () => {
  const issue = await legion.issue('Todo');
  legion.settings = { slots: { workers: 0, perMode: {} } };
  const full = await desk.explain(issue);
  legion.settings = { autoAdvance: false };
  const off = await desk.explain(issue);
  legion.settings = {};
  expect(full.state).toMatchObject({
    suggestedAction: 'skip',
    reason: 'no_capacity',
    says: 'All worker slots are taken.',
  });
  expect(full.state.evidence).toContain('would=dispatch_planner');
  expect(off.state).toMatchObject({ suggestedAction: 'dispatch_planner' });
  expect(off.state.evidence).toContain('auto_advance=off');
  expect(off.state.until).toEqual({
    by: 'person',
    what: 'someone advances it with `legion advance` or on its page, because auto_advance is off',
  });
});

test('explains an issue: the due step and how long it has been due, rounds, workers with their health, open items and history', async () => {
  const issue = await legion.issue('In Progress', ['worker-active']);
  const about = await legion.dispatched(issue, 'implement');
  const intent = legion.world.ledger.state.lastIntent + 1;
  await legion.append(
    {
      type: 'decision.made',
      issue,
      decision: 1,
      action: 'skip',
      mode: 'implement',
      reason: 'worker_live',
      evidence: ['worker=live'],
    },
    { type: 'round.counted', issue, reason: 'ci_failure', generation: 0, count: 1 },
    { type: 'question.asked', ...about, question: 1, text: 'Which one?' },
    { type: 'intent.opened', intent, command: { kind: 'reread_forge', issue } },
    { type: 'intent.settled', intent, outcome: 'failed', detail: 'the forge is unreachable' },
    { type: 'intent.opened', intent: intent + 1, command: { kind: 'clean_workspace', issue } },
  );
  const explained = await desk.explain(issue);
  expect(explanationSchema.parse(explained)).toEqual(explained);
  expect(explained).toMatchObject({
    state: { reason: 'worker_live' },
    since: expect.any(Number),
    rounds: { ci_failure: 1 },
    workers: [{ mode: 'implement', health: { verdict: 'starting' } }],
    openIntents: [{ intent: intent + 1, kind: 'clean_workspace' }],
    openQuestions: [{ question: 1, mode: 'implement', text: 'Which one?' }],
  });
  expect(explained.history.map(({ what }) => what)).toEqual([
    'implement (attempt 1) was dispatched on local',
    'decided to do nothing for now: A worker is working on it.',
    'counted round 1 for ci_failure',
    'implement asked: Which one?',
    'began to read the forge again',
    'failed: the forge is unreachable',
    'began to remove the workspace',
  ]);
  expect(explained.history[1]?.evidence).toEqual(['worker=live']);
});

test('the history of an issue contains its last thirty events, no matter how many events other issues have had since', async () => {
  const issue = await legion.issue('Todo');
  const counted = Array.from({ length: 40 }, (_, index) => index + 1);
  await legion.append(
    ...counted.map(
      (count) => ({ type: 'round.counted', issue, reason: 'retro', generation: 0, count }) as const,
    ),
  );
  const { lastMessage } = legion.world.ledger.state;
  await legion.append(
    ...Array.from(
      { length: 2_500 },
      (_, index) =>
        ({
          type: 'message.queued',
          message: lastMessage + index + 1,
          to: 'x',
          key: `${index}`,
          body: '',
        }) as const,
    ),
  );
  const { history } = await desk.explain(issue);
  expect(history.map(({ what }) => what)).toEqual(
    counted.slice(-30).map((count) => `counted round ${count} for retro`),
  );
});

test('refuses to explain an unknown issue, to advance it or to show its gates', async () => {
  const unknown = { code: 'tracker.issue_unknown' };
  await expect(desk.explain('DEMO-999')).rejects.toMatchObject(unknown);
  await expect(desk.gates('DEMO-999')).rejects.toMatchObject(unknown);
  await expect(advance({ issue: 'DEMO-999' })).rejects.toMatchObject(unknown);
});

test('while the board cannot be read, explains the state that was read last and says so', async () => {
  const issue = await legion.issue('Todo', ['needs-approval']);
  const world = { ...legion.world, boardView: new BoardView() };
  const away = overridePort(legion.world.tracker, {
    read: () => Promise.reject(new LegionError('tracker.unavailable', 'nobody answers')),
    list: () => Promise.reject(new LegionError('tracker.unavailable', 'nobody answers')),
  });
  await expect(evaluateIssue({ ...world, tracker: away }, issue)).rejects.toMatchObject({
    code: 'tracker.unavailable',
  });
  const { seen } = await evaluateIssue(world, issue);
  world.boardView.replaceAll([seen]);
  const look = await evaluateIssue({ ...world, tracker: away }, issue);
  expect(look.decision).toMatchObject({ reason: 'waits_for_approval' });
  expect(look.decision.evidence.at(-1)).toMatch(
    /^read=as last seen, because the board cannot be read: tracker.unavailable/,
  );
  const collected = await collectBoard({ ...world, tracker: away }, { lastSeen: true });
  expect(collected.issues).toMatchObject({ [issue]: { reason: 'waits_for_approval' } });
});

test('the gates show every condition with its evidence at the head', async () => {
  const issue = await legion.issue('Retro', ['bug', 'test-passed']);
  const { head, number } = await legion.pullRequest(issue);
  const { forge } = legion.world.repositories.require(issue);
  await forge.review(number, { reviewer: 'bob', verdict: 'approved', sha: head, text: 'good' });
  const proof = { issue, sha: head, verdict: 'passed', by: 'x', detail: '' } as const;
  await legion.append(
    { type: 'evidence.recorded', ...proof, kind: 'test', revision: 1, suites: ['unit'] },
    { type: 'evidence.recorded', ...proof, kind: 'retro', revision: 2, suites: [] },
  );
  const shown = await desk.gates(issue);
  expect(gatesSchema.parse(shown)).toEqual(shown);
  expect(Object.fromEntries(shown.preMerge.map(({ name, verdict }) => [name, verdict]))).toEqual({
    names_issue: 'pass',
    ci_green: 'fail',
    review_approved: 'pass',
    tests_passed: 'pass',
    retro_done: 'pass',
    no_open_question: 'pass',
    mergeable: 'pass',
    real_work: 'pass',
  });
  expect(shown).toMatchObject({ headSha: head, verdict: 'fail', autoMerge: { allowed: false } });
  expect(shown.autoMerge.conditions.every(({ verdict }) => verdict === 'pass')).toBe(true);
});

test('without a pull request, the gates fail and say why', async () => {
  const shown = await desk.gates(await legion.issue('In Progress'));
  expect(shown).toMatchObject({ headSha: null, verdict: 'fail' });
  expect(shown.autoMerge.conditions).toEqual([
    { name: 'pull_request', verdict: 'fail', evidence: 'pullRequest=none' },
  ]);
});

test('a dry run of `advance` says what would happen and does nothing', async () => {
  const issue = await legion.issue('Todo');
  const answer = await advance({ issue, dryRun: true });
  expect(advanceAnswer.parse(answer)).toEqual({
    issue,
    dryRun: true,
    advanced: false,
    says: `${issue} would be advanced.`,
    status: 'Todo',
    decisions: [
      {
        action: 'dispatch_planner',
        mode: 'plan',
        reason: 'due',
        says: 'This phase has not been worked on yet.',
      },
    ],
    commands: ['add worker-active', 'start plan, attempt 1 (start)'],
  });
  expect(await legion.ordered(issue)).toEqual([]);
});

test('`advance` carries out the due step, and says where the issue moves', async () => {
  const issue = await legion.issue('Backlog', ['worker-done']);
  const answer = await advance({ issue, stage: 'Todo' });
  expect(answer).toMatchObject({
    dryRun: false,
    advanced: true,
    says: `${issue} was advanced.`,
    status: 'Todo',
  });
  expect(answer.decisions.map(({ action }) => action)).toEqual(['transition_to_todo', 'dispatch_planner']);
  const planner = () => legion.world.ledger.state.workers.get(toWorkerId(issue, 'plan'));
  await vi.waitFor(() => expect(planner()?.process).toBeDefined(), SOON);
  expect((await legion.desks.issues.show(issue)).issue).toMatchObject({
    status: 'Todo',
    labels: ['worker-active'],
  });
});

test('`advance` waits for the gap between two starts, and then starts the worker', async () => {
  const issue = await legion.issue('Todo');
  legion.settings = { autoAdvance: false, staggerMs: 700 };
  try {
    await legion.dispatched(await legion.issue('Todo'), 'plan');
    const answer = await advance({ issue });
    expect(answer).toMatchObject({ advanced: true, decisions: [{ action: 'dispatch_planner' }] });
  } finally {
    legion.settings = {};
  }
});

test('`advance` reports that it did nothing, and why', async () => {
  const issue = await legion.issue('Todo');
  legion.settings = { slots: { workers: 0, perMode: {} } };
  const answer = await advance({ issue });
  legion.settings = {};
  expect(answer).toMatchObject({ advanced: false, commands: [] });
  expect(answer.says).toMatch(new RegExp(`^${issue} was not advanced: `));
});

test('`advance --stage` forces a status other than the next one, and records who forced it', async () => {
  const issue = await legion.issue('Todo', ['worker-done']);
  const plan = await advance({ issue, stage: 'Testing', dryRun: true, by: 'ada' });
  expect(advanceAnswer.parse(plan)).toMatchObject({
    advanced: false,
    status: 'Testing',
    decisions: [{ action: 'transition_to_testing', reason: 'forced' }],
  });
  expect((await legion.desks.issues.show(issue)).issue.status).toBe('Todo');
  expect(await advance({ issue, stage: 'Testing', by: 'ada' })).toMatchObject({ advanced: true });
  const { issue: now, comments } = await legion.desks.issues.show(issue);
  expect(now).toMatchObject({ status: 'Testing', labels: [] });
  expect(comments).toMatchObject([{ text: expect.stringContaining('ada forced') }]);
  expect(legion.world.ledger.state.issues.get(issue)?.decision).toMatchObject({
    action: 'transition_to_testing',
    reason: 'forced',
  });
});

test('`advance --stage` forces a phase: it moves the issue and starts the worker of the phase', async () => {
  const issue = await legion.issue('Backlog');
  const answer = await advance({ issue, stage: 'implement', by: 'ada' });
  expect(answer).toMatchObject({ advanced: true, status: 'In Progress' });
  expect(await legion.ordered(issue)).toMatchObject([{ kind: 'spawn', mode: 'implement', purpose: 'start' }]);
  expect((await legion.desks.issues.show(issue)).issue).toMatchObject({ status: 'In Progress' });
  await expect(advance({ issue, stage: 'test' })).rejects.toMatchObject({ code: 'worker.exists' });
});

test('`advance --stage` refuses a finished or paused issue', async () => {
  const [over, held] = [await legion.issue('Done'), await legion.issue('Todo', ['legion-paused'])];
  await expect(advance({ issue: over, stage: 'plan' })).rejects.toMatchObject({ code: 'issue.over' });
  await expect(advance({ issue: held, stage: 'test' })).rejects.toMatchObject({ code: 'issue.paused' });
  expect(await legion.ordered(over)).toEqual([]);
});

test('the folded state is plain JSON', async () => {
  const issue = await legion.issue('Todo');
  await legion.dispatched(issue, 'plan');
  const state = desk.materialized();
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(state).toMatchObject({
    version: legion.world.ledger.version,
    workers: { [`${issue}-plan`.toLowerCase()]: { issue, attempt: 1 } },
  });
});

test('a handoff is saved for later phases, and an invalid handoff is refused with the name of the wrong field', async () => {
  const issue = await legion.issue('Todo');
  expect(await desk.handoffs(issue)).toEqual({ handoffs: {} });
  await expect(desk.handoffs('DEMO-999')).rejects.toMatchObject({ code: 'tracker.issue_unknown' });
  await desk.writeHandoff(issue, 'plan', { summary: 'three steps', details: { steps: [1, 2, 3] } });
  await desk.writeHandoff(issue, 'plan', { summary: 'two steps' });
  expect((await desk.handoffs(issue)).handoffs).toMatchObject({ plan: { summary: 'two steps', done: [] } });
  const refused = desk.writeHandoff(issue, 'plan', { summary: 'x', colour: 'red' });
  await expect(refused).rejects.toMatchObject({ code: 'input.invalid' });
  await expect(refused).rejects.toThrow('colour');
  await expect(desk.writeHandoff('DEMO-999', 'plan', { summary: 'x' })).rejects.toMatchObject({
    code: 'tracker.issue_unknown',
  });
});

function advance(request: object) {
  return desk.advance(advanceRequest.parse(request));
}
