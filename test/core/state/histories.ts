/** Generates random journals: mostly valid events, mixed with repeated, late and outdated ones. */
import fc from 'fast-check';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import { toWorkerId } from '../../../src/core/model/ids.ts';
import type { Mode } from '../../../src/core/model/mode.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { createIssueRecord, createLegionState, type LegionState } from '../../../src/core/state/state.ts';

const ISSUES = ['A-1', 'A-2'];
const WORKER_MODES: readonly Mode[] = ['plan', 'implement'];

/**
 * Creates the next event for a state. Its serial number is the next one, so the event takes effect.
 */
type Maker = (state: LegionState, issue: string, mode: Mode) => EventBody;

const MAKERS: readonly Maker[] = [
  (state, issue, mode) => ({
    type: 'attempt.dispatched',
    ...present(state, issue, mode, 1),
    session: 's',
    version: 0,
    host: 'h',
  }),
  (state, issue, mode) => ({
    type: 'attempt.spawned',
    ...present(state, issue, mode),
    pid: 7,
    startTime: '1',
  }),
  (state, issue, mode) => ({ type: 'attempt.active', ...present(state, issue, mode) }),
  (state, issue, mode) => ({
    type: 'attempt.session_paired',
    ...present(state, issue, mode),
    native: 'ses_1',
  }),
  (state, issue, mode) => ({
    type: 'attempt.waiting',
    ...present(state, issue, mode),
    wait: (worker(state, issue, mode)?.lastWait ?? 0) + 1,
    for: 'user',
  }),
  () => ({ type: 'event.retired', was: 'attempt.woken' }),
  (state, issue, mode) => ({
    type: 'attempt.reported',
    ...present(state, issue, mode),
    report: (worker(state, issue, mode)?.lastReport ?? 0) + 1,
    outcome: mode === 'plan' ? 'error' : 'done',
    summary: '',
  }),
  (state, issue, mode) => ({
    type: 'attempt.reported',
    ...present(state, issue, mode),
    report: (worker(state, issue, mode)?.lastReport ?? 0) + 1,
    outcome: 'done',
    summary: '',
    sentBack: 'unfit',
  }),
  (state, issue, mode) => ({
    type: 'attempt.report_accepted',
    ...present(state, issue, mode),
    report: worker(state, issue, mode)?.lastReport || 1,
  }),
  (state, issue, mode) => ({
    type: 'attempt.report_refused',
    ...present(state, issue, mode),
    report: worker(state, issue, mode)?.lastReport || 1,
    missing: 'a pull request',
  }),
  (state, issue, mode) => ({ type: 'attempt.exited', ...present(state, issue, mode), code: 0, signal: null }),
  (state, issue, mode) => ({ type: 'attempt.crashed', ...present(state, issue, mode), evidence: ['gone'] }),
  (state, issue, mode) => ({ type: 'attempt.paused', ...present(state, issue, mode), evidence: ['twice'] }),
  (state, issue, mode) => ({ type: 'attempt.stopped', ...present(state, issue, mode), why: 'asked' }),
  (state, issue, mode) => ({
    type: 'attempt.stop_extended',
    ...present(state, issue, mode),
    extension: (state.workers.get(toWorkerId(issue, mode))?.stopExtensions?.length ?? 0) + 1,
    why: 'tests are running',
  }),
  (state, issue, mode) => ({ type: 'attempt.zombie', ...present(state, issue, mode), pid: 7 }),
  (state, issue, mode) => ({
    type: 'crashes.reset',
    issue,
    mode,
    generation: generationOf(state, issue, mode) + 1,
    by: 'ada',
  }),
  (state, issue, mode) => ({
    type: 'question.asked',
    ...present(state, issue, mode),
    question: record(state, issue).lastQuestion + 1,
    text: 'Which?',
  }),
  (state, issue) => ({
    type: 'question.answered',
    issue,
    question: record(state, issue).lastQuestion || 1,
    by: 'ada',
    text: 'This.',
  }),
  (state, issue, mode) => ({
    type: 'checkpoint.saved',
    ...present(state, issue, mode),
    checkpoint: (worker(state, issue, mode)?.lastCheckpoint ?? 0) + 1,
    stage: 'tests',
    completed: ['a'],
    remaining: ['b'],
    lastAction: 'ran a',
  }),
  (state, issue, mode) => ({
    type: 'handoff.written',
    issue,
    phase: mode,
    revision: record(state, issue).lastHandoff + 1,
    content: { done: mode },
  }),
  (state, issue) => ({
    type: 'evidence.recorded',
    issue,
    kind: 'test',
    revision: record(state, issue).lastEvidence + 1,
    sha: `sha${record(state, issue).lastEvidence}`,
    verdict: 'could_not_run',
    by: 'h',
    suites: [],
    detail: '',
  }),
  (state, issue) => ({
    type: 'labels.owed',
    issue,
    revision: record(state, issue).lastOwed + 1,
    add: ['worker-done'],
    remove: ['worker-active'],
  }),
  (state, issue) => ({ type: 'labels.written', issue, revision: record(state, issue).lastOwed || 1 }),
  (state, issue) => ({
    type: 'decision.made',
    issue,
    decision: record(state, issue).lastDecision + 1,
    action: 'skip',
    mode: 'plan',
    reason: 'worker_live',
    evidence: [],
  }),
  (state, issue) => ({
    type: 'round.counted',
    issue,
    reason: 'ci_failure',
    generation: record(state, issue).generation,
    count: (record(state, issue).rounds.ci_failure ?? 0) + 1,
  }),
  (state, issue) => ({
    type: 'rounds.reset',
    issue,
    generation: record(state, issue).generation + 1,
    by: 'ada',
  }),
  (state, issue) => ({
    type: 'split.made',
    issue,
    revision: record(state, issue).lastSplit + 1,
    children: ['A-8', 'A-9'],
  }),
  (state, issue) => ({
    type: 'approval.given',
    issue,
    approval: record(state, issue).lastApproval + 1,
    of: 'merge',
    by: 'ada',
    through: 'cli',
    sha: 'c0ffee',
  }),
  (state, issue) => ({
    type: 'work.rejected',
    issue,
    rejection: record(state, issue).lastRejection + 1,
    of: 'merge',
    by: 'ada',
    through: 'cli',
    why: 'too slow',
  }),
  (state, issue) => ({
    type: 'merge.begun',
    issue,
    begin: record(state, issue).lastMergeBegun + 1,
    pullRequest: 3,
    headSha: 'head',
    by: 'ada',
    actor: 'operator',
    forced: false,
    preMerge: [{ name: 'ci_green', verdict: 'pass', evidence: 'ci=passing' }],
  }),
  (state, issue) => ({
    type: 'merge.failed',
    issue,
    begin: record(state, issue).lastMergeBegun || 1,
    why: 'the base has moved',
  }),
  (state, issue) => ({
    type: 'merge.landed',
    issue,
    merge: record(state, issue).lastMerge + 1,
    pullRequest: 3,
    headSha: 'head',
    mergedSha: `merged${record(state, issue).lastMerge}`,
    auto: false,
  }),
  (state, issue) => ({
    type: 'merge.undone',
    issue,
    merge: record(state, issue).lastMerge || 1,
    revert: 4 + record(state, issue).lastMerge, // unique per merge
    branch: 'revert',
    by: 'ada',
  }),
  (state, issue) => ({
    type: 'revert.landed',
    issue,
    revert: 4 + record(state, issue).lastMerge, // unique per merge
    mergedSha: 'reverted',
    by: 'ada',
    forced: false,
  }),
  (state, issue) => ({
    type: 'issue.sighted',
    issue,
    sight: (state.board.get(issue)?.sight ?? 0) + 1,
    title: 'A door that squeaks',
    status: state.board.get(issue)?.status === 'Todo' ? 'In Progress' : 'Todo',
    column: 'Todo',
  }),
  (state, issue) => ({ type: 'issue.left', issue, sight: (state.board.get(issue)?.sight ?? 0) + 1 }),
  (state, issue) => ({ type: 'issue.pruned', issue, prune: record(state, issue).lastPrune + 1 }),
  (state, issue) => ({
    type: 'intent.opened',
    intent: state.lastIntent + 1,
    command: { kind: 'reread_forge', issue },
  }),
  (state) => ({ type: 'intent.settled', intent: state.lastIntent || 1, outcome: 'done', detail: '' }),
  (state, issue, mode) => ({
    type: 'kill.performed',
    ...present(state, issue, mode),
    kill: state.kills.last + 1,
    evidence: [],
  }),
  (state, issue, mode) => ({
    type: 'kill.judged',
    ...present(state, issue, mode),
    kill: state.kills.last || 1,
    right: true,
    why: 'no late report',
  }),
  (state, issue, mode) => ({
    type: 'attempt.spent',
    ...present(state, issue, mode),
    turns: state.version % 7,
    tokens: 10 * (state.version % 7),
    usd: 0,
    ...(state.version % 2 === 0 ? { changedAt: 0 } : {}),
  }),
  (state, issue, mode) => ({
    type: 'attempt.warned',
    ...present(state, issue, mode),
    generation: generationOf(state, issue, mode),
    warning: 'worker turns',
    why: 'nearly used up',
  }),
  (state, issue, mode) => ({
    type: 'attempt.asked_to_stop',
    ...present(state, issue, mode),
    generation: generationOf(state, issue, mode),
    why: 'used up',
  }),
  (state) => ({ type: 'breaker.opened', breaker: state.breaker.serial + 1, why: '3 in 30 s' }),
  (state) => ({ type: 'breaker.closed', breaker: state.breaker.serial || 1, by: 'ada' }),
  (state) => ({ type: 'clock.jumped', jump: state.lastJump + 1, byMs: 60_000 }),
  (state) => ({ type: 'message.queued', message: state.lastMessage + 1, to: 's', key: 'k', body: 'b' }),
  (state) => ({ type: 'message.delivered', message: state.lastMessage || 1 }),
  (state) => ({ type: 'message.set_aside', message: state.lastMessage || 1, why: 'no session' }),
];

const pick = fc.record({
  maker: fc.nat({ max: MAKERS.length - 1 }),
  issue: fc.constantFrom(...ISSUES),
  mode: fc.constantFrom(...WORKER_MODES),
});

/**
 * Journals whose writer knows the current state but sometimes writes events that no longer apply.
 */
export const histories: fc.Arbitrary<readonly EventBody[]> = written(() => true);

/**
 * The same journals without the events that did not apply, but with past events repeated at any
 * later point.
 */
export const troubledHistories: fc.Arbitrary<{
  clean: readonly EventBody[];
  troubled: readonly EventBody[];
}> = fc
  .tuple(
    written((fitted) => fitted),
    fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }),
  )
  .map(([clean, repeats]) => {
    const places = repeats.map(([from, to]) => {
      const origin = from % Math.max(clean.length, 1);
      return { origin, after: origin + (to % Math.max(clean.length - origin, 1)) };
    });
    const troubled = clean.flatMap((body, index) => [
      body,
      ...places.filter(({ after }) => after === index).flatMap(({ origin }) => clean[origin] ?? []),
    ]);
    return { clean, troubled };
  });

function written(keep: (fitted: boolean) => boolean): fc.Arbitrary<readonly EventBody[]> {
  return fc.array(pick, { minLength: 1, maxLength: 120 }).map((picks) => {
    const bodies: EventBody[] = [];
    const state = createLegionState();
    for (const { maker, issue, mode } of picks) {
      const body = MAKERS[maker]?.(state, issue, mode);
      if (body === undefined) continue;
      const { ignored, version } = state;
      evolve(state, { ...body, seq: version + 1, at: (version + 1) * 1_000, epoch: 0 });
      if (keep(state.ignored === ignored)) bodies.push(body);
    }
    return bodies;
  });
}

export function journalOf(bodies: readonly EventBody[]): Event[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: (index + 1) * 1_000, epoch: 0 }));
}

function present(state: LegionState, issue: string, mode: Mode, next = 0) {
  return { issue, mode, attempt: (worker(state, issue, mode)?.attempt ?? 0) + next || 1 };
}

function generationOf(state: LegionState, issue: string, mode: Mode): number {
  return worker(state, issue, mode)?.crashGeneration ?? 0;
}

function worker(state: LegionState, issue: string, mode: Mode) {
  return state.workers.get(toWorkerId(issue, mode));
}

function record(state: LegionState, issue: string) {
  return state.issues.get(issue) ?? createIssueRecord(issue);
}
