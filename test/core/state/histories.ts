/** Random journals: events that mostly fit, mixed with events that come twice, late, or from a life that is over. */
import fc from 'fast-check';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import { workerId } from '../../../src/core/model/ids.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { emptySwarm, newIssueRecord, type Swarm } from '../../../src/core/state/state.ts';
import type { Mode } from '../../../src/domain/mode.ts';

const ISSUES = ['A-1', 'A-2'];
const WORKER_MODES: readonly Mode[] = ['plan', 'implement'];

/** What may happen next, given what has happened: serials are the next ones, so these events are taken in. */
type Maker = (swarm: Swarm, issue: string, mode: Mode) => EventBody;

const MAKERS: readonly Maker[] = [
  (swarm, issue, mode) => ({
    type: 'attempt.dispatched',
    ...present(swarm, issue, mode, 1),
    session: 's',
    version: 0,
    host: 'h',
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.spawned',
    ...present(swarm, issue, mode),
    pid: 7,
    startTime: '1',
  }),
  (swarm, issue, mode) => ({ type: 'attempt.active', ...present(swarm, issue, mode) }),
  (swarm, issue, mode) => ({
    type: 'attempt.session_paired',
    ...present(swarm, issue, mode),
    native: 'ses_1',
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.waiting',
    ...present(swarm, issue, mode),
    wait: (worker(swarm, issue, mode)?.lastWait ?? 0) + 1,
    for: 'user',
  }),
  () => ({ type: 'event.retired', was: 'attempt.woken' }),
  (swarm, issue, mode) => ({
    type: 'attempt.reported',
    ...present(swarm, issue, mode),
    report: (worker(swarm, issue, mode)?.lastReport ?? 0) + 1,
    outcome: mode === 'plan' ? 'error' : 'done',
    summary: '',
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.reported',
    ...present(swarm, issue, mode),
    report: (worker(swarm, issue, mode)?.lastReport ?? 0) + 1,
    outcome: 'done',
    summary: '',
    sentBack: 'unfit',
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.report_accepted',
    ...present(swarm, issue, mode),
    report: worker(swarm, issue, mode)?.lastReport || 1,
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.report_refused',
    ...present(swarm, issue, mode),
    report: worker(swarm, issue, mode)?.lastReport || 1,
    missing: 'a pull request',
  }),
  (swarm, issue, mode) => ({ type: 'attempt.exited', ...present(swarm, issue, mode), code: 0, signal: null }),
  (swarm, issue, mode) => ({ type: 'attempt.crashed', ...present(swarm, issue, mode), evidence: ['gone'] }),
  (swarm, issue, mode) => ({ type: 'attempt.paused', ...present(swarm, issue, mode), evidence: ['twice'] }),
  (swarm, issue, mode) => ({ type: 'attempt.stopped', ...present(swarm, issue, mode), why: 'asked' }),
  (swarm, issue, mode) => ({ type: 'attempt.zombie', ...present(swarm, issue, mode), pid: 7 }),
  (swarm, issue, mode) => ({
    type: 'crashes.reset',
    issue,
    mode,
    generation: generationOf(swarm, issue, mode) + 1,
    by: 'ada',
  }),
  (swarm, issue, mode) => ({
    type: 'question.asked',
    ...present(swarm, issue, mode),
    question: record(swarm, issue).lastQuestion + 1,
    text: 'Which?',
  }),
  (swarm, issue) => ({
    type: 'question.answered',
    issue,
    question: record(swarm, issue).lastQuestion || 1,
    by: 'ada',
    text: 'This.',
  }),
  (swarm, issue, mode) => ({
    type: 'checkpoint.saved',
    ...present(swarm, issue, mode),
    checkpoint: (worker(swarm, issue, mode)?.lastCheckpoint ?? 0) + 1,
    stage: 'tests',
    completed: ['a'],
    remaining: ['b'],
    lastAction: 'ran a',
  }),
  (swarm, issue, mode) => ({
    type: 'handoff.written',
    issue,
    phase: mode,
    revision: record(swarm, issue).lastHandoff + 1,
    content: { done: mode },
  }),
  (swarm, issue) => ({
    type: 'evidence.recorded',
    issue,
    kind: 'test',
    revision: record(swarm, issue).lastEvidence + 1,
    sha: `sha${record(swarm, issue).lastEvidence}`,
    verdict: 'could_not_run',
    by: 'h',
    suites: [],
    detail: '',
  }),
  (swarm, issue) => ({
    type: 'labels.owed',
    issue,
    revision: record(swarm, issue).lastOwed + 1,
    add: ['worker-done'],
    remove: ['worker-active'],
  }),
  (swarm, issue) => ({ type: 'labels.written', issue, revision: record(swarm, issue).lastOwed || 1 }),
  (swarm, issue) => ({
    type: 'decision.made',
    issue,
    decision: record(swarm, issue).lastDecision + 1,
    action: 'skip',
    mode: 'plan',
    reason: 'worker_live',
    evidence: [],
  }),
  (swarm, issue) => ({
    type: 'round.counted',
    issue,
    reason: 'ci_failure',
    generation: record(swarm, issue).generation,
    count: (record(swarm, issue).rounds.ci_failure ?? 0) + 1,
  }),
  (swarm, issue) => ({
    type: 'rounds.reset',
    issue,
    generation: record(swarm, issue).generation + 1,
    by: 'ada',
  }),
  (swarm, issue) => ({
    type: 'split.made',
    issue,
    revision: record(swarm, issue).lastSplit + 1,
    children: ['A-8', 'A-9'],
  }),
  (swarm, issue) => ({
    type: 'merge.begun',
    issue,
    begin: record(swarm, issue).lastMergeBegun + 1,
    pullRequest: 3,
    headSha: 'head',
    by: 'ada',
    actor: 'operator',
    forced: false,
    preMerge: [{ name: 'ci_green', verdict: 'pass', evidence: 'ci=passing' }],
  }),
  (swarm, issue) => ({
    type: 'merge.failed',
    issue,
    begin: record(swarm, issue).lastMergeBegun || 1,
    why: 'the base has moved',
  }),
  (swarm, issue) => ({
    type: 'merge.landed',
    issue,
    merge: record(swarm, issue).lastMerge + 1,
    pullRequest: 3,
    headSha: 'head',
    mergedSha: `merged${record(swarm, issue).lastMerge}`,
    auto: false,
  }),
  (swarm, issue) => ({
    type: 'merge.undone',
    issue,
    merge: record(swarm, issue).lastMerge || 1,
    revert: 4 + record(swarm, issue).lastMerge, // of each merge another
    branch: 'revert',
    by: 'ada',
  }),
  (swarm, issue) => ({
    type: 'revert.landed',
    issue,
    revert: 4 + record(swarm, issue).lastMerge, // of each merge another
    mergedSha: 'reverted',
    by: 'ada',
    forced: false,
  }),
  (swarm, issue) => ({
    type: 'issue.sighted',
    issue,
    sight: (swarm.board.get(issue)?.sight ?? 0) + 1,
    title: 'A door that squeaks',
    status: swarm.board.get(issue)?.status === 'Todo' ? 'In Progress' : 'Todo',
    column: 'Todo',
  }),
  (swarm, issue) => ({ type: 'issue.left', issue, sight: (swarm.board.get(issue)?.sight ?? 0) + 1 }),
  (swarm, issue) => ({ type: 'issue.pruned', issue, prune: record(swarm, issue).lastPrune + 1 }),
  (swarm, issue) => ({
    type: 'intent.opened',
    intent: swarm.lastIntent + 1,
    command: { kind: 'reread_forge', issue },
  }),
  (swarm) => ({ type: 'intent.settled', intent: swarm.lastIntent || 1, outcome: 'done', detail: '' }),
  (swarm, issue, mode) => ({
    type: 'kill.performed',
    ...present(swarm, issue, mode),
    kill: swarm.kills.last + 1,
    evidence: [],
  }),
  (swarm, issue, mode) => ({
    type: 'kill.judged',
    ...present(swarm, issue, mode),
    kill: swarm.kills.last || 1,
    right: true,
    why: 'no late report',
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.spent',
    ...present(swarm, issue, mode),
    turns: swarm.version % 7,
    tokens: 10 * (swarm.version % 7),
    usd: 0,
    ...(swarm.version % 2 === 0 ? { changedAt: 0 } : {}),
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.warned',
    ...present(swarm, issue, mode),
    generation: generationOf(swarm, issue, mode),
    warning: 'worker turns',
    why: 'nearly used up',
  }),
  (swarm, issue, mode) => ({
    type: 'attempt.asked_to_stop',
    ...present(swarm, issue, mode),
    generation: generationOf(swarm, issue, mode),
    why: 'used up',
  }),
  (swarm) => ({ type: 'breaker.opened', breaker: swarm.breaker.serial + 1, why: '3 in 30 s' }),
  (swarm) => ({ type: 'breaker.closed', breaker: swarm.breaker.serial || 1, by: 'ada' }),
  (swarm) => ({ type: 'clock.jumped', jump: swarm.lastJump + 1, byMs: 60_000 }),
  (swarm) => ({ type: 'message.queued', message: swarm.lastMessage + 1, to: 's', key: 'k', body: 'b' }),
  (swarm) => ({ type: 'message.delivered', message: swarm.lastMessage || 1 }),
  (swarm) => ({ type: 'message.set_aside', message: swarm.lastMessage || 1, why: 'no session' }),
];

const pick = fc.record({
  maker: fc.nat({ max: MAKERS.length - 1 }),
  issue: fc.constantFrom(...ISSUES),
  mode: fc.constantFrom(...WORKER_MODES),
});

/** Journals of a writer that had read everything before, yet may write what no longer fits. */
export const histories: fc.Arbitrary<readonly EventBody[]> = written(() => true);

/** The same, without what did not fit; with events of the past taken in again at any later place. */
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
    const swarm = emptySwarm();
    for (const { maker, issue, mode } of picks) {
      const body = MAKERS[maker]?.(swarm, issue, mode);
      if (body === undefined) continue;
      const { ignored, version } = swarm;
      evolve(swarm, { ...body, seq: version + 1, at: (version + 1) * 1_000, epoch: 0 });
      if (keep(swarm.ignored === ignored)) bodies.push(body);
    }
    return bodies;
  });
}

export function journalOf(bodies: readonly EventBody[]): Event[] {
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: (index + 1) * 1_000, epoch: 0 }));
}

function present(swarm: Swarm, issue: string, mode: Mode, next = 0) {
  return { issue, mode, attempt: (worker(swarm, issue, mode)?.attempt ?? 0) + next || 1 };
}

function generationOf(swarm: Swarm, issue: string, mode: Mode): number {
  return worker(swarm, issue, mode)?.crashGeneration ?? 0;
}

function worker(swarm: Swarm, issue: string, mode: Mode) {
  return swarm.workers.get(workerId(issue, mode));
}

function record(swarm: Swarm, issue: string) {
  return swarm.issues.get(issue) ?? newIssueRecord(issue);
}
